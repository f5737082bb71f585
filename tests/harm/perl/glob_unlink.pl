# kind: all files of a folder that is changed to
# check: stdout
my $folder = $ENV{VICTIM};
mkdir 'own'; open my $out, '>', 'own/a' or die; close $out;
$folder = 'own';
chdir $folder or die;
my $n = unlink glob '*';
print $n ? 'some' : 'none';
