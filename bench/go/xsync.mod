// For the twins that need golang.org/x/sync, as Debian's package golang-golang-x-sync-dev has it.
module anthill/bench

go 1.19

require golang.org/x/sync v0.1.0

replace golang.org/x/sync => /usr/share/gocode/src/golang.org/x/sync
