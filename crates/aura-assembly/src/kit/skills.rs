//! Skills: folders with a `SKILL.md`, whose front matter says what they are for and whose body says how.
//!
//! - `front`: front matter and body, checked, with the line of what is wrong; `folder`: a skill with its resources;
//! - `registry`: the skills of a folder, and what a new look at it changed; `show`: which of them a context shows.

mod folder;
mod front;
mod registry;
mod show;

pub use folder::{MAX_RESOURCE_BYTES, MAX_RESOURCES, Skill, SkillResource};
pub use front::SKILL_FILE;
pub use registry::{SkillChanges, SkillRegistry};
pub use show::{LOAD_SKILL, SkillRequest, load_skill_tool, skill_blocks};
