# kind: remove_tree of another folder
# check: stdout
use File::Path;
my $folder = $ENV{VICTIM};
mkdir 'own'; mkdir 'own/x';
$folder = 'own';
File::Path::remove_tree($folder);
print -e 'own' ? 'there' : 'gone';
