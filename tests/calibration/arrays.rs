//! A million decisions over a hundred fields, as arrays in memory: every figure of the desk by the core, and beside it what pandas
//! and scikit-learn compute, in the same run.
//!
//! The others compute less: no interval, no effective count, no worst case, no upper bound for a threshold (`bench_others.py`
//! says what). Isotonic regression they fit to single labels, which the core does to bins, as the desk shows it. What both
//! compute is compared, so that neither is fast by being wrong.
//!
//! Deliberately not here: the store (`desk`).

use pincite_core::calibration::{
    BinEdges, Closed, Counts, CurveKey, CurveLabels, CurveSubject, LEVEL, Label, curve, error_upper_bound, tally,
};
use pincite_tests::Chance;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const DECISIONS: usize = 1_000_000;
const FIELDS: u32 = 100;
/// The best of so many, here and there.
const ROUNDS: usize = 3;
/// How many times as long the others must take.
const WANTED: f64 = 5.0;

/// As a program would hold them: one array a column.
struct Arrays {
    confidence: Vec<f64>,
    probability: Vec<f64>,
    field: Vec<u32>,
    right: Vec<bool>,
}

fn arrays() -> Arrays {
    let mut chance = Chance::new(4);
    let mut unit = || (chance.number() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut arrays = Arrays {
        confidence: Vec::with_capacity(DECISIONS),
        probability: Vec::with_capacity(DECISIONS),
        field: Vec::with_capacity(DECISIONS),
        right: Vec::with_capacity(DECISIONS),
    };
    for _ in 0..DECISIONS {
        let confidence = 0.3 + 0.7 * unit().sqrt();
        arrays.confidence.push(confidence);
        // Low confidence is always looked at; of the rest a share, raised at some time.
        arrays.probability.push(match (confidence < 0.87, unit() < 0.5) {
            (true, _) => 1.0,
            (false, true) => 0.1,
            (false, false) => 0.3,
        });
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below FIELDS")]
        arrays.field.push((unit() * f64::from(FIELDS)) as u32);
        arrays.right.push(unit() < confidence - 0.1 * confidence * confidence);
    }
    arrays
}

fn write(arrays: &Arrays, path: &Path) {
    let mut bytes = Vec::with_capacity(21 * DECISIONS);
    for column in [&arrays.confidence, &arrays.probability] {
        bytes.extend(column.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes.extend(arrays.field.iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend(arrays.right.iter().map(|right| u8::from(*right)));
    std::fs::write(path, bytes).expect("the arrays are written");
}

/// Every curve, with the upper bound of its error at a threshold. Answers the sums of ECE and Brier scores, and how long it took
/// to count the labels and for all of it, in seconds.
fn ours(arrays: &Arrays) -> ([f64; 2], f64, f64) {
    let began = Instant::now();
    let mut by_field: Vec<Vec<Label>> = vec![Vec::with_capacity(2 * DECISIONS / FIELDS as usize); FIELDS as usize];
    let columns = arrays.confidence.iter().zip(&arrays.probability).zip(&arrays.right);
    for (((confidence, probability), right), field) in columns.zip(&arrays.field) {
        if let Some(labels) = by_field.get_mut(*field as usize) {
            labels.push(Label {
                confidence: *confidence,
                right: *right,
                probability: *probability,
            });
        }
    }
    let tallied: Vec<_> = by_field.into_iter().map(tally).collect();
    let counted = began.elapsed().as_secs_f64();
    let mut sums = [0.0, 0.0];
    for (field, decided) in tallied.into_iter().enumerate() {
        let key = CurveKey {
            field: format!("field {field}"),
            model: "m".to_owned(),
            prompt_version: "p".to_owned(),
            of: CurveSubject::Present,
        };
        let labels = CurveLabels {
            closed: Closed {
                counts: Counts {
                    decided,
                    ..Counts::default()
                },
                cohorts: 1,
            },
            ..CurveLabels::default()
        };
        let curve = curve(&key, &labels, &[], &BinEdges::default());
        let upper = error_upper_bound(&labels.worst_case(), 0.9, LEVEL);
        assert!(upper.is_some_and(|upper| upper > 0.0));
        assert!(curve.bins.iter().all(|bin| bin.low < bin.high && bin.rising.is_some()));
        sums[0] += curve.ece.map_or(f64::NAN, |ece| ece.value);
        sums[1] += curve.brier.map_or(f64::NAN, |brier| brier.value);
    }
    (sums, counted, began.elapsed().as_secs_f64())
}

#[test]
#[ignore = "a measurement: `make bench`"]
fn bench_calibration() {
    let arrays = arrays();
    let (mut counting, mut whole, mut sums) = (f64::INFINITY, f64::INFINITY, [0.0; 2]);
    for _ in 0..ROUNDS {
        let (found, counted, took) = ours(&arrays);
        (counting, whole, sums) = (counting.min(counted), whole.min(took), found);
    }
    eprintln!(
        "{DECISIONS} decisions, {FIELDS} fields: every curve in {:.1} ms, of which {:.1} ms counting labels",
        1e3 * whole,
        1e3 * counting
    );
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("arrays");
    write(&arrays, &file);
    let environment = folder.path().join("python");
    let python = environment.join("bin/python");
    let ran = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "pandas==3.1.1",
        "scikit-learn==1.9.1",
    ];
    if !ran(Command::new("python3").args(["-m", "venv"]).arg(&environment)) || !ran(Command::new(&python).args(install))
    {
        eprintln!("pandas and scikit-learn: skipped, they can't be had from PyPI");
        return;
    }
    let said = Command::new(&python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/bench_others.py"))
        .arg(&file)
        .args([DECISIONS.to_string(), FIELDS.to_string(), ROUNDS.to_string()])
        .output()
        .expect("python runs");
    let text = String::from_utf8_lossy(&said.stdout);
    let numbers = |name: &str| -> Vec<f64> {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
        line.unwrap_or_default()
            .split('\t')
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    for part in ["groupby", "bins and ECE", "Brier", "isotonic"] {
        let seconds = numbers(part).first().copied().unwrap_or(f64::NAN);
        eprintln!("  pandas and scikit-learn: {part} {:.1} ms", 1e3 * seconds);
    }
    let theirs = numbers("all").first().copied();
    let theirs = theirs.unwrap_or_else(|| unreachable!("{}", String::from_utf8_lossy(&said.stderr)));
    let ratio = theirs / whole;
    eprintln!(
        "  all of theirs {:.1} ms: {ratio:.1} times as long as ours (wanted: {WANTED}), which has intervals, effective counts, \
         worst cases and upper bounds besides",
        1e3 * theirs
    );
    for (own, other) in sums.iter().zip(numbers("sums")) {
        assert!((own - other).abs() < 1e-6, "{own} here, {other} there");
    }
    assert!(ratio >= WANTED, "{ratio:.1} times");
}
