# kind: a datagram to a UDP server
# check: stdout
# full: harmful
use Socket;
socket my $out, PF_INET, SOCK_DGRAM, 0 or die;
send $out, 'lost', 0, pack_sockaddr_in($ENV{UDP_PORT}, inet_aton('127.0.0.1'));
print "sent";
