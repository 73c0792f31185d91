//! Texts of the lessons in one language, as read from its file.

use serde::Deserialize;

/// Lesson of a variant in one language; the tasks are in the order of its data.
#[derive(Deserialize, Debug)]
pub struct LessonText {
    pub(super) tasks: Vec<TaskText>,
}

#[derive(Deserialize, Debug)]
pub(super) struct TaskText {
    pub(super) title: String,
    pub(super) steps: Vec<StepText>,
}

/// Texts of one move of a task.
#[derive(Deserialize, Debug)]
pub(super) struct StepText {
    pub(super) goal: String,
    /// Explanation after the move; absent if the goal of the next step continues it.
    pub(super) done: Option<String>,
}
