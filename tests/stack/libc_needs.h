/* How many bytes of stack functions of libc take, at most: glibc 2.36, x86-64. The test
 * stack_libc measures them. tools/stackdepth adds them where our own functions call libc; it reads this
 * file.
 *
 *   WE_CALL(call, bytes, functions)   what we call on a goroutine's own stack: call() stands for these
 *   THEY_CALL(call, bytes)            what go.h tells users
 */
/* clang-format off */
WE_CALL(nothing, 32, "abort getpid gettid __errno_location memchr memcmp memcpy memmove memset strcmp strlen "
                     "strncmp strchr strrchr strnlen strerrordesc_np sigemptyset sigaddset sigfillset sigismember")
WE_CALL(system_call, 80, "syscall madvise mmap mprotect munmap read pread readv write pwrite writev open close "
                         "sendfile lseek pipe2 kill poll fcntl")
WE_CALL(rare_call, 256, "fstat waitid waitpid nanosleep usleep sched_yield pthread_sigmask sigpending sigtimedwait "
                        "pthread_setcancelstate pthread_self sigaction __cxa_get_globals "
                        "__libc_current_sigrtmin __libc_current_sigrtmax")
WE_CALL(socket_call, 64, "accept4 bind connect epoll_create1 epoll_ctl epoll_wait eventfd getpeername getsockname "
                         "getsockopt listen recv recvfrom send sendmsg sendto setsockopt shutdown socket")
WE_CALL(clock_gettime, 128, "clock_gettime clock_getres")
WE_CALL(malloc, 1024, "malloc calloc posix_memalign")
WE_CALL(free, 256, "free freeaddrinfo")
/* clang-format on */
THEY_CALL(realloc, 1024)
THEY_CALL(snprintf, 3072)
THEY_CALL(snprintf_double, 8192)
THEY_CALL(fprintf, 3072)
THEY_CALL(fgets, 2048)
THEY_CALL(qsort, 2048)
THEY_CALL(strtod, 2048)
THEY_CALL(sscanf, 4096)
THEY_CALL(localtime, 2048)
THEY_CALL(inet_ntop, 2048)
THEY_CALL(getaddrinfo_numeric, 4096)
THEY_CALL(getaddrinfo, 16384)
