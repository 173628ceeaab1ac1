// SPDX-License-Identifier: Apache-2.0
// Uses names that CoreFoundation.h or AudioToolbox.h must declare without further includes; the
// test includes this file after either of them.

static jmp_buf jump;

static int formatted(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return length;
}

static void *run(void *context) { return context; }

int umbrella(void);
int umbrella(void) {
  char path[PATH_MAX] = "";
  struct tm calendar;
  const time_t now = time(NULL);
  pthread_t thread;
  pid_t process = getpid();
  int64_t wide = INT64_MAX;
  struct lconv *conventions = localeconv();
  assert(conventions && offsetof(struct tm, tm_sec) < sizeof calendar);
  errno = EINVAL;
  signal(SIGINT, SIG_DFL);
  setlocale(LC_ALL, "C");
  memset(&calendar, 0, sizeof calendar);
  formatted(path, sizeof path, "%d %" PRId64, (int)process, wide);
  if (setjmp(jump) == 0 && pthread_create(&thread, NULL, run, path) == 0) pthread_join(thread, NULL);
  usleep(1);
  char *copy = strdup(path);
  const double value = sin(M_PI_2) * FLT_EPSILON + DBL_MAX * 0 + INT_MAX;
  const bool isLetter = isalpha(copy[0]) != 0 && strcasecmp(copy, path) == 0;
  free(copy);
  return isLetter ? (int)now : (int)value;
}
