# kind: a precious file is written through a link
# check: stdout
my $to = "$ENV{VICTIM}/precious.txt";
open my $own, '>', 'own' or die; close $own;
$to = 'own';
symlink $to, 'link';
open my $out, '>', 'link' or die; print $out 'lost'; close $out;
print "written";
