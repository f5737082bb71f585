# kind: -i over files
# check: stdout
@ARGV = ("$ENV{VICTIM}/precious.txt");
open my $out, '>', 'own' or die; print $out "a\n"; close $out;
@ARGV = ('own');
{ local $^I = ''; while (<>) { s/./x/g; print } }
print "edited";
