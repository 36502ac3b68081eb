# perl reap.pl <cost file> <command> [argument]...: runs a command until its last descendant has ended and writes the user
# and system time of all of them. Node cannot do that: a process that a command kills without waiting, or that outlives its
# parent, would be reaped by init. A subreaper inherits all of them and waits for each.
use strict;
use warnings;
use POSIX qw(uname);

my ($cost, @command) = @ARGV;
my %prctl = (x86_64 => 157, aarch64 => 167);
my $call = $prctl{(uname)[4]} or die "no number of prctl for this machine\n";
my $set_child_subreaper = 36;
syscall($call, $set_child_subreaper, 1, 0, 0, 0) == 0 or die "cannot become a subreaper: $!\n";

my $pid = fork() // die "cannot fork: $!\n";
if ($pid == 0) {
    exec { $command[0] } @command or die "cannot run $command[0]: $!\n";
}
my $status = 0;
my $count = 0;
while ((my $ended = waitpid(-1, 0)) > 0) {
    $count++;
    $status = $? if $ended == $pid;
}
my (undef, undef, $user, $system) = times();
open(my $out, '>', $cost) or die "cannot write $cost: $!\n";
print $out "$user $system $count\n";
close $out;
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
