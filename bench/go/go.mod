module anthill/bench

go 1.19
