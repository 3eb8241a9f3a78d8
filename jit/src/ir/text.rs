//! Text form of the IR, for dumps and tests.
