//! Sanitization of user-written text: chat messages and profiles.
//!
//! Sanitized text cannot reorder or cover the text around it. Its length is not limited here.
//! Callers: `Game` for chat messages, and `api::account` for profiles.

use unicode_normalization::char::is_combining_mark;

/// Maximum number of consecutive combining marks and invisible characters. Every script and emoji
/// needs fewer; longer sequences only cover neighboring lines.
const MARKS_MAX: usize = 4;

/// Removes control and bidirectional formatting characters, excess combining marks, and blanks at
/// both ends. Lines end with `
/// `. Text without visible characters becomes empty.
pub fn sanitize(text: &str) -> String {
    let mut marks = 0;
    let mut output = String::with_capacity(text.len());
    for c in text.chars() {
        // Line separator and paragraph separator.
        let c = if matches!(c, '\u{2028}' | '\u{2029}') { '\n' } else { c };
        if is_formatting(c) {
            continue;
        }
        // Flags of regions are sequences of tag characters.
        let is_mark = (is_combining_mark(c) || is_ignorable(c)) && !is_tag(c);
        marks = if is_mark { marks + 1 } else { 0 };
        if marks <= MARKS_MAX {
            output.push(c);
        }
    }
    // A variation selector or tag at the end belongs to the last emoji.
    let is_selector = |c: char| matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}');
    let trimmed = output.trim_start_matches(is_blank);
    trimmed.trim_end_matches(|c| is_blank(c) && !is_selector(c)).to_owned()
}

/// Sanitizes text as [`sanitize`] does and joins its lines with spaces.
pub fn sanitize_line(text: &str) -> String {
    sanitize(text).replace('\n', " ")
}

fn is_formatting(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character is invisible by itself. Unicode does not class the blank Braille
/// pattern as whitespace.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_ignorable(c) || c == '\u{2800}'
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0020}'..='\u{e007f}')
}

/// Returns whether a character has the property `Default_Ignorable_Code_Point` (UAX 44).
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sanitize_invisible_text_is_empty() {
        for text in [
            "",
            " \n\t ",
            "\u{200b}\u{200b}",
            "\u{feff}\u{2060} \u{ad}",
            "\u{3164}\u{ffa0}\u{115f}",
            "\u{2800} \u{2800}",
            "\u{2003}\u{a0}\u{3000}",
            "\u{fe0f}",
            "\u{e0041}\u{e007f}",
            "\u{200e}\u{202e}\u{2066}",
            "\u{0}\u{1b}\u{85}",
            "\u{2028}\u{2029}",
        ] {
            assert_eq!(sanitize(text), "", "{text:?}");
            assert_eq!(sanitize_line(text), "", "{text:?}");
        }
    }

    #[test]
    fn sanitize_keeps_visible_text() {
        let zalgo = format!("a{}b", "\u{301}".repeat(50));
        let hidden = format!("a{}b", "\u{200b}".repeat(200));
        for (text, expected) in [
            (" \u{200b}hello\u{feff}\n", "hello"),
            ("a\u{202e}b\u{0}c\u{1b}[31md\u{2066}", "abc[31md"),
            ("one\r\ntwo", "one\ntwo"),
            ("one\u{2028}two", "one\ntwo"),
            (zalgo.as_str(), "a\u{301}\u{301}\u{301}\u{301}b"),
            (hidden.as_str(), "a\u{200b}\u{200b}\u{200b}\u{200b}b"),
            // Vietnamese, Hebrew with points and accents, Hindi, Thai, Persian with a joiner.
            ("Tie\u{302}\u{301}ng", "Tie\u{302}\u{301}ng"),
            ("ש\u{5c1}\u{5bc}\u{5b8}\u{596}", "ש\u{5c1}\u{5bc}\u{5b8}\u{596}"),
            ("क्षि", "क्षि"),
            ("ที่", "ที่"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            // A heart in color, a family, a keycap, the flag of England.
            ("❤\u{fe0f}", "❤\u{fe0f}"),
            ("👨\u{200d}👩\u{200d}👧", "👨\u{200d}👩\u{200d}👧"),
            ("1\u{fe0f}\u{20e3}", "1\u{fe0f}\u{20e3}"),
            (
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            ),
        ] {
            assert_eq!(sanitize(text), expected, "{text:?}");
        }
        assert_eq!(sanitize_line("one\r\n\ntwo\n"), "one  two");
    }
}
