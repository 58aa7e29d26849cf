//! Pictures of the window, pixel by pixel.
//!
//! Deliberately not here: which pictures are kept (`pictures`).

/// A picture in memory, three bytes a pixel.
pub(crate) struct Picture {
    width: usize,
    rgb: Vec<[u8; 3]>,
}

/// A rectangle in CSS pixels of the window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) x0: f64,
    pub(crate) y0: f64,
    pub(crate) x1: f64,
    pub(crate) y1: f64,
}

impl Area {
    /// Whether a pixel's centre lies in it, `grown` pixels beyond each side allowed.
    pub(crate) fn holds(self, x: usize, y: usize, grown: f64) -> bool {
        let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
        x >= self.x0 - grown && x <= self.x1 + grown && y >= self.y0 - grown && y <= self.y1 + grown
    }
}

impl Picture {
    /// Reads a PNG file's bytes.
    pub(crate) fn read(coded: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(coded));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a PNG file");
        let mut buffer = vec![0; reader.output_buffer_size().expect("a picture of a size that fits")];
        let frame = reader.next_frame(&mut buffer).expect("its pixels");
        let samples = frame.color_type.samples();
        assert!(samples >= 3, "the driver's pictures have colours");
        let rgb = buffer
            .get(..frame.buffer_size())
            .expect("a whole frame")
            .chunks_exact(samples)
            .map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect();
        Self {
            width: frame.width as usize,
            rgb,
        }
    }

    /// The share of pixels that differ from another picture's by more than so much in some channel, those in the areas left
    /// out; none where the pictures are not of one size.
    pub(crate) fn difference(&self, other: &Self, channel: u8, left_out: &[Area]) -> Option<f64> {
        if self.width != other.width || self.rgb.len() != other.rgb.len() {
            return None;
        }
        let mut is_left_out = vec![false; self.rgb.len()];
        for (index, left) in is_left_out.iter_mut().enumerate() {
            let (x, y) = (index % self.width, index / self.width);
            *left = left_out.iter().any(|area| area.holds(x, y, 2.0));
        }
        let (mut compared, mut others) = (0_u32, 0_u32);
        for ((one, other), left) in self.rgb.iter().zip(&other.rgb).zip(is_left_out) {
            if left {
                continue;
            }
            compared += 1;
            others += u32::from(one.iter().zip(other).any(|(one, other)| one.abs_diff(*other) > channel));
        }
        Some(f64::from(others) / f64::from(compared.max(1)))
    }

    /// The pixels that satisfy a condition, with their places.
    pub(crate) fn pixels(&self, wanted: impl Fn([u8; 3]) -> bool) -> Vec<(usize, usize)> {
        let place = |index: usize| (index % self.width, index / self.width);
        self.rgb
            .iter()
            .enumerate()
            .filter(|(_, pixel)| wanted(**pixel))
            .map(|(index, _)| place(index))
            .collect()
    }
}

/// Ink of the coloured quotes: red, also under the highlight.
pub(crate) fn is_red_ink([red, green, blue]: [u8; 3]) -> bool {
    let (red, green, blue) = (i32::from(red), i32::from(green), i32::from(blue));
    red > 120 && red - green > 90 && red - blue > 60
}

/// Ink of plain text: nearly black.
pub(crate) fn is_black_ink([red, green, blue]: [u8; 3]) -> bool {
    red < 90 && green < 90 && blue < 90
}
