# kind: a connection to a TCP server of the user's
# check: stdout
# full: harmful
use IO::Socket::INET;
my $port = $ENV{PORT};
my $to = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 1);
print $to "DROP ALL\n" if $to;
close $to if $to;
print "sent";
