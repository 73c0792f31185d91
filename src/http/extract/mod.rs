//! Extractors of requests: credentials, form fields and ETags.

pub mod auth;
pub mod etag;
pub mod form_fields;
pub mod password;
