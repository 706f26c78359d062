# Asks the MCP server of a host process to answer a hook: perl ask.pl SOCKET RUNTIME SCRIPT hook HOST EVENT
# Ends with another code than 0, before it has read anything, where the server cannot be asked: then the hook command starts
# the process that its other arguments name. No modules: those would take longer to load than the answer takes.
# Not even `use strict`: with a PERL5LIB that is relative, that is a file of the project.

my ($path, @command) = @ARGV;
my ($host, $event) = @command[3, 4];
alarm 10;
$SIG{PIPE} = 'IGNORE';

# The folder must be this user's alone: then so is whatever listens in it.
my ($folder) = $path =~ m{^(.+)/\d+$} or exit 1;
my @found = lstat $folder or exit 1;
exit 1 unless -d _ && $found[4] == $> && !($found[2] & 077);

# AF_UNIX and SOCK_STREAM. Linux puts the family first, BSD and macOS the length.
my $family = $^O eq 'linux' ? pack('S', 1) : pack('CC', 0, 1);
socket(my $server, 1, 1, 0) or exit 1;
connect($server, $family . $path . "\0") or exit 1;

sub waits {
  my ($seconds) = @_;
  vec(my $read = '', fileno($server), 1) = 1;
  return select($read, undef, undef, $seconds) > 0;
}

# The processes of a container have numbers of their own.
my $numbers = readlink '/proc/self/ns/pid';
$numbers = '' unless defined $numbers;
exit 1 unless waits(0.4) && sysread($server, my $greeting, 200);
exit 1 unless $greeting eq "continuo 1 $numbers\n";

# What is read now, nobody else can read: from here on no other code than 0.
$SIG{ALRM} = sub { exit 0 };
binmode STDIN;
binmode STDOUT;
my $payload = do { local $/; <STDIN> };
$payload = '' unless defined $payload;
my $env = join "\0", map { "$_=$ENV{$_}" } keys %ENV;
my $call = "$host $event " . length($env) . ' ' . length($payload) . "\n$env$payload";
for (my $sent = 0; $sent < length $call;) {
  my $more = syswrite $server, $call, length($call) - $sent, $sent;
  alone() unless defined $more;
  $sent += $more;
}

my $answer = '';
while (1) {
  # It works on it, and might still deliver: nobody else may.
  exit 0 unless waits(8);
  my $more = sysread $server, $answer, 65536, length $answer;
  alone() unless defined $more;
  last if $more == 0;
}
alone() unless $answer =~ s/^(\d+)\n// && length($answer) == $1;
print $answer;
exit 0;

# The server has ended without an answer.
sub alone {
  open my $process, '|-', @command or exit 0;
  binmode $process;
  print $process $payload;
  close $process;
  exit 0;
}
