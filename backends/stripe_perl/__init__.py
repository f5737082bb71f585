"""The backend for Perl 5."""
