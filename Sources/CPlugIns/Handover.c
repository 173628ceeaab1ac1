// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Handover.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A wait ends at the latest after so many nanoseconds and looks again, whatever the other process has done.
enum { longest_wait = 100000000 };

static uint32_t load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

// The words are in two processes, so these are no private futexes.
static void wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0); }

static void sleep_while(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
  const struct timespec time = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void handover_ask(Handover *handover, uint32_t number) {
  __atomic_store_n(&handover->asked, number, __ATOMIC_RELEASE);
  wake(&handover->asked);
}

bool handover_is_answered(const Handover *handover, uint32_t number) { return load(&handover->answered) == number; }

bool handover_wait(Handover *handover, uint32_t number, uint64_t deadline, const uint32_t *has_ended) {
  for (;;) {
    const uint32_t answered = load(&handover->answered);
    if (load(has_ended)) return false;
    if (answered == number) return true;
    const uint64_t time = now();
    if (time >= deadline) return false;
    const uint64_t rest = deadline - time;
    sleep_while(&handover->answered, answered, rest < longest_wait ? rest : longest_wait);
  }
}

void handover_interrupt(Handover *handover) {
  // Another value, or a wait that has just read the word would begin all the same.
  __atomic_fetch_add(&handover->answered, 1u << 30, __ATOMIC_ACQ_REL);
  wake(&handover->answered);
}

uint32_t handover_next(Handover *handover, uint32_t last, uint64_t nanoseconds) {
  if (load(&handover->asked) == last) sleep_while(&handover->asked, last, nanoseconds);
  return load(&handover->asked);
}

void handover_answer(Handover *handover, uint32_t number) {
  __atomic_store_n(&handover->answered, number, __ATOMIC_RELEASE);
  wake(&handover->answered);
}

void shared_bits_add(uint32_t *word, uint32_t bits) { __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL); }
uint32_t shared_bits_take(uint32_t *word) { return __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL); }

int shared_memory_make(size_t bytes) {
  const int file = memfd_create("plug-in", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)bytes) == 0 &&
      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return file;
  const int reason = errno;
  close(file);
  errno = reason;
  return -1;
}

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }
static size_t whole_pages(size_t bytes) { return (bytes + page() - 1) / page() * page(); }

void *shared_memory_map(int file, size_t bytes) {
  const size_t inner = whole_pages(bytes), all = inner + 2 * page();
  char *memory = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  // Now, so that a render does not wait for a page.
  if (mmap(memory + page(), inner, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) !=
      MAP_FAILED)
    return memory + page();
  munmap(memory, all);
  return NULL;
}

void shared_memory_unmap(void *memory, size_t bytes) {
  munmap((char *)memory - page(), whole_pages(bytes) + 2 * page());
}

typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
} Control;

int channel_send_file(int channel, int file) {
  char byte = 1;
  struct iovec data = {&byte, 1};
  Control control = {0};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  __builtin_memcpy(CMSG_DATA(header), &file, sizeof file);
  ssize_t sent;
  do sent = sendmsg(channel, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1 ? 0 : -1;
}

int channel_receive_file(int channel) {
  char byte;
  struct iovec data = {&byte, 1};
  Control control = {0};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t received;
  do received = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  struct cmsghdr *header = received == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) return -1;
  int file;
  __builtin_memcpy(&file, CMSG_DATA(header), sizeof file);
  return file;
}

int notice_pipe(int *ends) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

int process_file(int process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

void plug_in_prepare_process(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}
