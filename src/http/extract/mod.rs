//! Extractors of requests: credentials, recovery words, codes of authenticator apps, passkeys,
//! fields of bodies and query strings, ETags, ids, origin, the ratings and blocks of the requester,
//! keys of variants, and the limit of moves by account.

pub mod auth;
pub mod challenge_viewer;
pub mod credential;
pub mod device;
pub mod etag;
pub mod fields;
pub mod form_fields;
pub mod game_player;
pub mod id;
pub mod json_body;
pub mod move_limiter;
pub mod move_path;
pub mod origin;
pub mod passkey;
pub mod password;
pub mod query_params;
pub mod recovery_word;
pub mod secret;
pub mod totp;
pub mod variant_key;
