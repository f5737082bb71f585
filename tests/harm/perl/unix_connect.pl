# kind: a connection to a UNIX socket by its path
# check: stdout
# full: harmful
use IO::Socket::UNIX;
my $to = IO::Socket::UNIX->new(Peer => $ENV{UNIX_SOCKET});
print $to "shutdown\n" if $to;
close $to if $to;
print "sent";
