# kind: a destructor removes
# check: stdout
package Guard; sub new { bless { file => $_[1] }, $_[0] } sub DESTROY { unlink $_[0]{file} }
package main;
my $guard = Guard->new("$ENV{VICTIM}/precious.txt");
$guard->{file} = 'none';
undef $guard;
print "done";
