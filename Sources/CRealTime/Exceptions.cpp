// SPDX-License-Identifier: Apache-2.0
// Exceptions of the program pass through the library without leaving anything locked or counted.
//
// A callback of the program may throw a C++ exception, which the program catches around its call of the
// library, for example of AudioUnitRender. Swift code does no work when an exception passes through it: the
// unit would stay marked as being rendered, locks would stay locked. So the exception stops where the
// library calls the program, and continues where the library returns to the program:
//
// 1. Each C function that may call the program is a border: it calls `rt_border_enter` first and
//    `rt_border_leave` last.
// 2. The functions below call the program. Inside a border they catch an exception, keep it, and return a
//    status, as for a callback that failed. The library ends its work as after any failure, and calls
//    nothing more of the program meanwhile.
// 3. `rt_border_leave` throws the exception again, when nothing of the library is left on the stack.
//
// A call of the program by a thread of the library has no border below it. There the exception is not
// caught, so that the process ends where it was thrown, as it does on any thread without a handler. What
// ends a thread (pthread_exit, cancellation) passes through, and so do exceptions of other languages.
#include "CRealTime.h"

#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <utility>

static_assert(sizeof(std::exception_ptr) == sizeof(void *), "it is kept in a pointer");

// The status of a callback that threw. The program does not see it.
static const int32_t thrown = -1;

namespace {

// Lets the process fork while the program is called.
class Away {
  const int32_t works = rt_work_suspend();

 public:
  ~Away() { rt_work_resume(works); }
};

}  // namespace

// Calls the program, and keeps its exception for the border.
template <typename Call>
static int32_t call_program(Call call) {
  rt_context &context = rt_thread_context;
  if (context.exception) return thrown;
  const Away away;
  const int32_t borders = context.borders;
  if (borders == 0) return call();
  // What the program calls has borders of its own.
  context.borders = 0;
  int32_t status = thrown;
  try {
    status = call();
  } catch (abi::__forced_unwind &) {
    throw;
  } catch (...) {
    std::exception_ptr caught = std::current_exception();
    if (!caught) throw;
    new (static_cast<void *>(&context.exception)) std::exception_ptr(std::move(caught));
  }
  context.borders = borders;
  return status;
}

// Calls a function of a plug-in; the arguments have the types of its parameters.
template <typename... Arguments>
static int32_t call_plug_in(const void *function, void *plug_in, Arguments... arguments) {
  using Function = int32_t (*)(void *, Arguments...);
  rt_host_enter();
  const int32_t status = call_program(
      [&] { return reinterpret_cast<Function>(const_cast<void *>(function))(plug_in, arguments...); });
  rt_host_leave();
  return status;
}

extern "C" {

void rt_throw_again(void) {
  std::exception_ptr caught;
  std::memcpy(static_cast<void *>(&caught), &rt_thread_context.exception, sizeof caught);
  rt_thread_context.exception = nullptr;
  std::rethrow_exception(std::move(caught));
}

int32_t rt_call_host(
    const void *function, void *context, void *flags, const void *time, uint32_t bus,
    uint32_t frame_count, void *data) {
  using Callback = int32_t (*)(void *, void *, const void *, uint32_t, uint32_t, void *);
  rt_host_enter();
  const int32_t status = call_program([&] {
    return reinterpret_cast<Callback>(const_cast<void *>(function))(
        context, flags, time, bus, frame_count, data);
  });
  rt_host_leave();
  return status;
}

int32_t rt_call_process(
    const void *function, void *context, void *flags, const void *time, uint32_t frame_count, void *data) {
  using Callback = int32_t (*)(void *, void *, const void *, uint32_t, void *);
  rt_host_enter();
  const int32_t status = call_program([&] {
    return reinterpret_cast<Callback>(const_cast<void *>(function))(
        context, flags, time, frame_count, data);
  });
  rt_host_leave();
  return status;
}

int32_t rt_call_process_multiple(
    const void *function, void *context, void *flags, const void *time, uint32_t frame_count,
    uint32_t input_count, void *inputs, uint32_t output_count, void *outputs) {
  using Callback =
      int32_t (*)(void *, void *, const void *, uint32_t, uint32_t, void *, uint32_t, void *);
  rt_host_enter();
  const int32_t status = call_program([&] {
    return reinterpret_cast<Callback>(const_cast<void *>(function))(
        context, flags, time, frame_count, input_count, inputs, output_count, outputs);
  });
  rt_host_leave();
  return status;
}

int32_t rt_call_packet_input(
    const void *function, void *converter, uint32_t *packets, void *list, void *descriptions,
    void *context) {
  using Callback = int32_t (*)(void *, uint32_t *, void *, void *, void *);
  const int32_t status = call_program([&] {
    return reinterpret_cast<Callback>(const_cast<void *>(function))(
        converter, packets, list, descriptions, context);
  });
  if (rt_thread_context.exception) *packets = 0;
  return status;
}

// The functions of a plug-in that hosts call on any thread, render threads included.

int32_t rt_call_get_parameter(
    const void *function, void *plug_in, uint32_t id, uint32_t scope, uint32_t element, float *value) {
  return call_plug_in(function, plug_in, id, scope, element, value);
}

int32_t rt_call_set_parameter(
    const void *function, void *plug_in, uint32_t id, uint32_t scope, uint32_t element, float value,
    uint32_t offset) {
  return call_plug_in(function, plug_in, id, scope, element, value, offset);
}

int32_t rt_call_schedule(const void *function, void *plug_in, const void *events, uint32_t count) {
  return call_plug_in(function, plug_in, events, count);
}

int32_t rt_call_midi_event(
    const void *function, void *plug_in, uint32_t status, uint32_t data1, uint32_t data2, uint32_t offset) {
  return call_plug_in(function, plug_in, status, data1, data2, offset);
}

int32_t rt_call_sysex(const void *function, void *plug_in, const uint8_t *bytes, uint32_t count) {
  return call_plug_in(function, plug_in, bytes, count);
}

int32_t rt_call_event_list(
    const void *function, void *plug_in, uint32_t offset, const void *list) {
  return call_plug_in(function, plug_in, offset, list);
}

int32_t rt_call_start_note(
    const void *function, void *plug_in, uint32_t instrument, uint32_t group, uint32_t *note,
    uint32_t offset, const void *parameters) {
  return call_plug_in(function, plug_in, instrument, group, note, offset, parameters);
}

int32_t rt_call_stop_note(
    const void *function, void *plug_in, uint32_t group, uint32_t note, uint32_t offset) {
  return call_plug_in(function, plug_in, group, note, offset);
}

int32_t rt_call_instrument(const void *function, void *plug_in, uint32_t instrument) {
  return call_plug_in(function, plug_in, instrument);
}

int32_t rt_call_program(void (*body)(void *), void *context) {
  return call_program([&] {
    body(context);
    return int32_t(0);
  });
}
}
