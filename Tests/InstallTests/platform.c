// SPDX-License-Identifier: Apache-2.0
// Uses the platform headers as programs do. Prints each sentence that is not true; the exit code is
// their number.

#include <ApplicationServices/ApplicationServices.h>
#include <AudioToolbox/AudioToolbox.h>
#include <Availability.h>
#include <AvailabilityMacros.h>
#include <Carbon/Carbon.h>
#include <CoreServices/CoreServices.h>
#include <IOKit/audio/IOAudioTypes.h>
#include <TargetConditionals.h>
#include <errno.h>
#include <libkern/OSAtomic.h>
#include <libkern/OSByteOrder.h>
#include <mach/clock.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <os/lock.h>
#include <os/log.h>
#include <os/signpost.h>
#include <sys/sysctl.h>

#if !TARGET_OS_OSX || TARGET_OS_IPHONE
#error "this is the desktop"
#endif
#if !defined(MAC_OS_X_VERSION_10_6) || MAC_OS_X_VERSION_MAX_ALLOWED < MAC_OS_X_VERSION_10_15 \
    || MAC_OS_X_VERSION_MIN_REQUIRED < 120000 || __MAC_OS_X_VERSION_MIN_REQUIRED < __MAC_10_6
#error "programs take the branch of old systems"
#endif

static int failures;

#define EXPECT(claim) \
  do { \
    if (!(claim)) { \
      failures++; \
      printf("%s:%d: %s\n", __func__, __LINE__, #claim); \
    } \
  } while (0)

static void time_is_host_time(void) {
  mach_timebase_info_data_t base;
  EXPECT(mach_timebase_info(&base) == KERN_SUCCESS);
  const uint64_t before = mach_absolute_time();
  const UInt64 host = AudioGetCurrentHostTime();
  EXPECT(before <= host && host <= mach_absolute_time());
  const uint64_t deadline = mach_absolute_time() + 5000000ull * base.denom / base.numer;
  EXPECT(mach_wait_until(deadline) == KERN_SUCCESS && mach_absolute_time() >= deadline);
  clock_serv_t clock;
  mach_timespec_t now;
  EXPECT(host_get_clock_service(mach_host_self(), SYSTEM_CLOCK, &clock) == KERN_SUCCESS);
  EXPECT(clock_get_time(clock, &now) == KERN_SUCCESS && (uint64_t)now.tv_sec >= deadline / NSEC_PER_SEC);
  EXPECT(host_get_clock_service(mach_host_self(), CALENDAR_CLOCK, &clock) == KERN_SUCCESS);
  EXPECT(clock_get_time(clock, &now) == KERN_SUCCESS && now.tv_sec > 1700000000u);
  EXPECT(mach_port_deallocate(mach_task_self(), clock) == KERN_SUCCESS);
  EXPECT(host_get_clock_service(mach_host_self(), 7, &clock) == KERN_INVALID_ARGUMENT);
  EXPECT(clock_get_time(99, &now) == KERN_INVALID_ARGUMENT);
  const UnsignedWide nanoseconds = AbsoluteToNanoseconds(UpTime());
  EXPECT(UnsignedWideToUInt64(nanoseconds) >= AudioConvertHostTimeToNanos(before));
}

static int counter;
static int32_t atomic_counter;
static int32_t spin_counter;
static OSSpinLock spin = OS_SPINLOCK_INIT;
static os_unfair_lock lock = {0};

static void *count(void *context) {
  for (int round = 0; round < 20000; round++) {
    OSAtomicIncrement32Barrier(&atomic_counter);
    OSSpinLockLock(&spin);
    spin_counter++;
    OSSpinLockUnlock(&spin);
    os_unfair_lock_lock(&lock);
    counter++;
    os_unfair_lock_unlock(&lock);
  }
  return context;
}

static void locks_exclude(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  EXPECT(counter == 80000 && spin_counter == 80000 && atomic_counter == 80000);
  EXPECT(os_unfair_lock_trylock(&lock) && !os_unfair_lock_trylock(&lock));
  os_unfair_lock_unlock(&lock);
}

struct block {
  int number;
  struct block *next;
};

static void atomics_give_new_values(void) {
  volatile int32_t value = 5;
  EXPECT(OSAtomicAdd32Barrier(-3, &value) == 2 && OSAtomicDecrement32(&value) == 1);
  EXPECT(OSAtomicCompareAndSwap32Barrier(1, 9, &value) && value == 9);
  EXPECT(!OSAtomicCompareAndSwap32(1, 2, &value) && value == 9);
  volatile int64_t wide = 1ll << 40;
  EXPECT(OSAtomicAdd64(1, &wide) == (1ll << 40) + 1);
  volatile uint32_t bits = 6;
  EXPECT(OSAtomicOr32Orig(1, &bits) == 6 && OSAtomicAnd32Barrier(3, &bits) == 3);
  void *volatile pointer = NULL;
  EXPECT(OSAtomicCompareAndSwapPtrBarrier(NULL, &failures, &pointer) && pointer == &failures);
  uint8_t bytes[2] = {0, 0};
  EXPECT(!OSAtomicTestAndSet(9, bytes) && bytes[1] == 0x40 && OSAtomicTestAndClear(9, bytes));
  OSMemoryBarrier();
  OSQueueHead stack = OS_ATOMIC_QUEUE_INIT;
  struct block first = {1, NULL}, second = {2, NULL};
  OSAtomicEnqueue(&stack, &first, offsetof(struct block, next));
  OSAtomicEnqueue(&stack, &second, offsetof(struct block, next));
  EXPECT(OSAtomicDequeue(&stack, offsetof(struct block, next)) == &second);
  EXPECT(OSAtomicDequeue(&stack, offsetof(struct block, next)) == &first);
  EXPECT(!OSAtomicDequeue(&stack, offsetof(struct block, next)));
}

static void semaphores_count(void) {
  semaphore_t semaphore;
  EXPECT(semaphore_create(mach_task_self(), &semaphore, SYNC_POLICY_FIFO, 1) == KERN_SUCCESS);
  EXPECT(semaphore_wait(semaphore) == KERN_SUCCESS);
  const mach_timespec_t soon = {0, 1000000};
  EXPECT(semaphore_timedwait(semaphore, soon) == KERN_OPERATION_TIMED_OUT);
  EXPECT(semaphore_signal(semaphore) == KERN_SUCCESS);
  EXPECT(semaphore_timedwait(semaphore, soon) == KERN_SUCCESS);
  EXPECT(semaphore_destroy(mach_task_self(), semaphore) == KERN_SUCCESS);
}

static void threads_ask_for_real_time(void) {
  thread_time_constraint_policy_data_t policy = {10000000, 1000000, 5000000, 1};
  const kern_return_t result =
      thread_policy_set(mach_thread_self(), THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&policy,
                        THREAD_TIME_CONSTRAINT_POLICY_COUNT);
  // A policy that the user may not set is refused, without other effects.
  const int now = sched_getscheduler(0);
  EXPECT(result == KERN_SUCCESS ? now == SCHED_FIFO
                                : result == KERN_PROTECTION_FAILURE && now == SCHED_OTHER);
  thread_extended_policy_data_t plain = {1};
  EXPECT(thread_policy_set(mach_thread_self(), THREAD_EXTENDED_POLICY, (thread_policy_t)&plain,
                           THREAD_EXTENDED_POLICY_COUNT) == KERN_SUCCESS);
  EXPECT(sched_getscheduler(0) == SCHED_OTHER);
  EXPECT(thread_policy_set(mach_thread_self(), 99, (thread_policy_t)&plain, 1)
         == KERN_NOT_SUPPORTED);
}

static void machine_is_described(void) {
  int processors = 0;
  uint64_t memory = 0;
  size_t size = sizeof processors;
  EXPECT(sysctlbyname("hw.ncpu", &processors, &size, NULL, 0) == 0 && processors > 0);
  size = sizeof memory;
  EXPECT(sysctlbyname("hw.memsize", &memory, &size, NULL, 0) == 0 && memory > 1 << 20);
  const int name[] = {CTL_HW, HW_NCPU};
  int same = 0;
  size = sizeof same;
  EXPECT(sysctl(name, 2, &same, &size, NULL, 0) == 0 && same == processors);
  EXPECT(sysctlbyname("no.such", &same, &size, NULL, 0) == -1 && errno == ENOENT);
}

static void component_manager_finds_units(void) {
  ComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                 kAudioUnitManufacturer_Apple, 0, 0};
  EXPECT(CountComponents(&description) == 1);
  Component component = FindNextComponent(NULL, &description);
  EXPECT(component && !FindNextComponent(component, &description));
  ComponentDescription found;
  Handle name = NewHandle(0);
  EXPECT(GetComponentInfo(component, &found, name, NULL, NULL) == noErr);
  EXPECT(found.componentSubType == kAudioUnitSubType_DefaultOutput);
  HLock(name);
  EXPECT(**name == 24 && memcmp(*name + 1, "Apple: DefaultOutputUnit", 24) == 0);
  HUnlock(name);
  DisposeHandle(name);
  ComponentInstance unit = NULL;
  EXPECT(OpenAComponent(component, &unit) == noErr && unit);
  EXPECT(GetComponentOfInstance(unit) == component);
  EXPECT(AudioUnitInitialize(unit) == noErr);
  EXPECT(CloseComponent(unit) == noErr && CloseComponent(unit) == kAudio_ParamError);
  EXPECT(!OpenDefaultComponent(kAudioUnitType_Output, 0x6e6f6e65));
}

static void texts_lie_where_programs_look(void) {
  const char *text = CFStringGetCStringPtr(CFSTR("constant"), kCFStringEncodingUTF8);
  EXPECT(text && strcmp(text, "constant") == 0);
  const AudioObjectPropertyAddress which = {kAudioHardwarePropertyDefaultOutputDevice,
                                            kAudioObjectPropertyScopeGlobal,
                                            kAudioObjectPropertyElementMain};
  AudioDeviceID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  EXPECT(AudioObjectGetPropertyData(kAudioObjectSystemObject, &which, 0, NULL, &size, &device)
         == noErr);
  const AudioObjectPropertyAddress named = {kAudioObjectPropertyName,
                                            kAudioObjectPropertyScopeGlobal,
                                            kAudioObjectPropertyElementMain};
  CFStringRef name = NULL;
  size = sizeof name;
  EXPECT(AudioObjectGetPropertyData(device, &named, 0, NULL, &size, &name) == noErr && name);
  if (!name) return;
  text = CFStringGetCStringPtr(name, kCFStringEncodingMacRoman);
  EXPECT(text && strlen(text) == (size_t)CFStringGetLength(name));
  CFRelease(name);
}

static void byte_orders_have_names(void) {
  const UInt32 big = EndianU32_NtoB(0x01020304);
  EXPECT(((const UInt8 *)&big)[0] == 1 && EndianU32_BtoN(big) == 0x01020304);
  EXPECT(OSSwapInt16(0x0102) == 0x0201 && OSSwapHostToBigInt32(0x01020304) == big);
  EXPECT(EndianS16_BtoN(EndianS16_NtoB(-2)) == -2);
  EXPECT(OUTPUT_SPEAKER == 0x0301);
}

static void identities_are_numbers(void) {
  CFUUIDRef one = CFUUIDCreateFromString(NULL, CFSTR("68753A44-4D6F-1226-9C60-0050E4C00067"));
  EXPECT(one);
  const CFUUIDBytes bytes = CFUUIDGetUUIDBytes(one);
  EXPECT(bytes.byte0 == 0x68 && bytes.byte15 == 0x67);
  CFUUIDRef same = CFUUIDCreateFromUUIDBytes(NULL, bytes);
  EXPECT(CFEqual(one, same) && CFGetTypeID(one) == CFUUIDGetTypeID());
  CFRelease(one), CFRelease(same);
}

static void program_is_a_bundle(void) {
  CFBundleRef bundle = CFBundleGetMainBundle();
  EXPECT(bundle && CFGetTypeID(bundle) == CFBundleGetTypeID());
  CFURLRef program = CFBundleCopyExecutableURL(bundle);
  UInt8 path[PATH_MAX];
  EXPECT(program && CFURLGetFileSystemRepresentation(program, true, path, sizeof path));
  EXPECT(access((const char *)path, X_OK) == 0);
  if (program) CFRelease(program);
}

int main(void) {
  time_is_host_time();
  locks_exclude();
  atomics_give_new_values();
  semaphores_count();
  threads_ask_for_real_time();
  machine_is_described();
  component_manager_finds_units();
  texts_lie_where_programs_look();
  byte_orders_have_names();
  identities_are_numbers();
  program_is_a_bundle();
  errno = EINTR;
  os_log(OS_LOG_DEFAULT, "100%% of %{public}s, %d sentences are not true: %m, %d %y %d",
         "the platform", failures, 1, 2);
  EXPECT(errno == EINTR);
  int made = 0;
  if (failures) os_log_debug(OS_LOG_DEFAULT, "%d", ++made);
  else os_log_info(OS_LOG_DEFAULT, "%d", ++made);
  os_signpost_event_emit(OS_LOG_DEFAULT, OS_SIGNPOST_ID_EXCLUSIVE, "silent", "%d", ++made);
  os_log(OS_LOG_DISABLED, "%d", ++made);
  EXPECT(made == 0 && !os_log_debug_enabled(OS_LOG_DEFAULT));
  EXPECT(!os_log_info_enabled(OS_LOG_DEFAULT));
  os_log_debug(os_log_create("org.example", "tests"), "not written");
  return failures;
}
