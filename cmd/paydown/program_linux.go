package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseProgram removes the program's code and constants from the process's resident memory and returns their size
// in bytes. They stay in the kernel's page cache; what the program uses next is mapped from there again, 64 KB at a
// time. The start touches most of them once, because it initializes some 700 packages, and they would count as the
// process's memory from then on.
func releaseProgram() (size uint64, err error) {
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return 0, err
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, err
	}
	defer func() { _ = maps.Close() }()
	var from, to uint64
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) >= 6 && len(fields[1]) == 4: // a mapping: addresses, permissions, offset, device, inode, file
			from, to = 0, 0
			if fields[1][1] != 'w' && strings.Join(fields[5:], " ") == name {
				first, last, _ := strings.Cut(fields[0], "-")
				from, _ = strconv.ParseUint(first, 16, 64)
				to, _ = strconv.ParseUint(last, 16, 64)
			}
		// A page that differs from the file, such as one with a debugger's breakpoint, would be lost.
		case from < to && fields[0] == "Anonymous:" && fields[1] == "0":
			_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, uintptr(from), uintptr(to-from), syscall.MADV_DONTNEED)
			if errno != 0 {
				return size, errno
			}
			size += to - from
		}
	}
	return size, lines.Err()
}
