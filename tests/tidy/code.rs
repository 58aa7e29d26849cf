//! Rust source with its comments and the insides of its strings blanked, so that a rule about code does not trip over
//! words.
//!
//! Deliberately not here: parsing. Rules look for names, and names survive this.

/// What the source has besides code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Code,
    LineComment,
    BlockComment(u32),
    Text,
    RawText(usize),
}

/// The source with every character of a comment or a string replaced by a blank; line breaks stay, so that lines count.
pub(crate) fn code_only(source: &str) -> String {
    blanked(source, true)
}

/// As [`code_only`], but with the strings left as they are: SQL is in strings.
pub(crate) fn without_comments(source: &str) -> String {
    blanked(source, false)
}

fn blanked(source: &str, texts_too: bool) -> String {
    let characters: Vec<char> = source.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut out = String::with_capacity(source.len());
    let mut state = At::Code;
    let mut index = 0;
    while index < characters.len() {
        let (one, two) = (at(index), at(index + 1));
        let (next, used) = match state {
            At::Code => match (one, two) {
                ('/', '/') => (At::LineComment, 2),
                ('/', '*') => (At::BlockComment(1), 2),
                ('"', _) => (At::Text, 1),
                ('r', '"' | '#') if !at(index.wrapping_sub(1)).is_alphanumeric() => {
                    let hashes = (1..).take_while(|step| at(index + step) == '#').count();
                    if at(index + 1 + hashes) == '"' {
                        (At::RawText(hashes), hashes + 2)
                    } else {
                        (At::Code, 1)
                    }
                }
                // A character, not a lifetime.
                ('\'', '\\') => {
                    let length = (3..12).find(|step| at(index + step) == '\'').unwrap_or(2);
                    (At::Code, length + 1)
                }
                ('\'', _) if at(index + 2) == '\'' => (At::Code, 3),
                _ => (At::Code, 1),
            },
            At::LineComment => (if one == '\n' { At::Code } else { At::LineComment }, 1),
            At::BlockComment(depth) => match (one, two) {
                ('/', '*') => (At::BlockComment(depth + 1), 2),
                ('*', '/') if depth == 1 => (At::Code, 2),
                ('*', '/') => (At::BlockComment(depth - 1), 2),
                _ => (state, 1),
            },
            At::Text => match one {
                '\\' => (At::Text, 2),
                '"' => (At::Code, 1),
                _ => (At::Text, 1),
            },
            At::RawText(hashes) => {
                let ends = one == '"' && (1..=hashes).all(|step| at(index + step) == '#');
                if ends { (At::Code, hashes + 1) } else { (state, 1) }
            }
        };
        let in_text = matches!(state, At::Text | At::RawText(_)) || matches!(next, At::Text | At::RawText(_));
        let in_comment = matches!(state, At::LineComment | At::BlockComment(_))
            || matches!(next, At::LineComment | At::BlockComment(_));
        let blank = in_comment || (texts_too && in_text);
        for step in 0..used {
            if let Some(character) = characters.get(index + step) {
                out.push(if blank && *character != '\n' { ' ' } else { *character });
            }
        }
        state = next;
        index += used;
    }
    out
}

/// The lines of a text that contain a word: not as a part of a longer name.
pub(crate) fn lines_with<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    (1..)
        .zip(text.lines())
        .filter(move |(_, line)| contains_word(line, word))
        .map(|(number, _)| number)
}

/// Whether a line contains a word, not as a part of a longer name.
pub(crate) fn contains_word(line: &str, word: &str) -> bool {
    let part_of_name = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).any(|(start, found)| {
        let before = line.get(..start).and_then(|before| before.chars().next_back());
        let after = line.get(start + found.len()..).and_then(|after| after.chars().next());
        let begins = !word.starts_with(part_of_name) || !before.is_some_and(part_of_name);
        let ends = !word.ends_with(part_of_name) || !after.is_some_and(part_of_name);
        begins && ends
    })
}

#[test]
fn comments_and_strings_are_blanked_and_lines_kept() {
    let source = "let a = \"std::fs\"; // std::fs\n/* a /* b */ std::fs */ let b = r#\"x\"y\"#;\nlet c = '\"'; let d: &'static str = \"\\\"\"; std::fs";
    let code = code_only(source);
    assert_eq!(code.lines().count(), 3);
    assert_eq!(lines_with(&code, "std::fs").collect::<Vec<_>>(), [3]);
    assert!(code.contains("let b =") && code.contains("'static str"));
    assert_eq!(
        lines_with(&without_comments(source), "std::fs").collect::<Vec<_>>(),
        [1, 3]
    );
    assert!(!contains_word("lowercase", "case") && contains_word("a.case()", "case"));
}
