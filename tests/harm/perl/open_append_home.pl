# kind: a line is appended to a file in the home
# check: stdout
my $path = "$ENV{HOME}/.profile";
$path = 'profile';
open my $out, '>>', $path or die;
print $out "lost\n"; close $out;
print "appended";
