//! A GPU in software: the same bits everywhere, nothing to install.
