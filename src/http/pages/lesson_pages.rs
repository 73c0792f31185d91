//! Lessons as rendered by the server: heading, and the tasks for browsers without scripts.
//!
//! The texts come from the translations, the positions from `static/lessons`. Scripts replace the
//! content with a board.

use super::assets::LESSONS;
use super::lesson_text::StepText;
use super::translations::Translations;
use crate::variants::Variant;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize, Debug)]
struct Lesson {
    tasks: Vec<Task>,
}

#[derive(Deserialize, Debug)]
struct Task {
    steps: Vec<Step>,
}

#[derive(Deserialize, Debug)]
struct Step {
    /// Position text; `None` is the start of a game, or the position after the previous step.
    start: Option<String>,
}

/// Lessons of all variants, by variant key.
#[derive(Debug)]
pub struct LessonPages(HashMap<&'static str, Lesson>);

impl LessonPages {
    /// Parses the embedded lessons.
    pub fn new() -> LessonPages {
        let read = |(key, text): &(&'static str, &str)| {
            (*key, serde_json::from_str(text).expect("valid lessons"))
        };
        LessonPages(LESSONS.iter().map(read).collect())
    }

    /// Renders the lesson of a variant.
    pub fn variant_page(&self, translations: &Translations, variant: &Variant) -> Option<Markup> {
        let lesson = self.0.get(variant.info.key)?;
        let text = translations.lesson(variant)?;
        let name = translations.language.name(&variant.info.names);
        let tasks = text.tasks.iter().zip(&lesson.tasks);
        Some(html! {
            div.learn-skeleton {
                h1 { (translations.phrase_with("head.learn.title", &[("variant", name)])) }
                p { (translations.rules(variant).map_or("", |rules| &rules.aim)) }
                noscript {
                    p.soft { (translations.phrase("noscript.lesson")) }
                    a.btn href={ "/rules/" (variant.info.key) } { (translations.phrase("noscript.rules")) }
                    @for (task, data) in tasks {
                        section {
                            h2 { (task.title) }
                            @for (step, position) in task.steps.iter().zip(&data.steps) {
                                (render_step(variant, step, position))
                            }
                        }
                    }
                }
            }
        })
    }
}

fn render_step(variant: &Variant, text: &StepText, step: &Step) -> Markup {
    let query =
        step.start.as_ref().and_then(|start| serde_urlencoded::to_string([("text", start)]).ok());
    html! {
        @if let Some(query) = query {
            img src={ "/picture/position/" (variant.info.key) ".svg?" (query) } alt="" loading="lazy";
        }
        p { (text.goal) }
        @if let Some(done) = &text.done { p.soft { (done) } }
    }
}
