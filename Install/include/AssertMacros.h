// SPDX-License-Identifier: Apache-2.0

#ifndef ASSERT_MACROS_H
#define ASSERT_MACROS_H

// Assertions at run time. A check writes a line to standard error if its condition is false. A
// verify does the same, and always evaluates its expression. A require writes the line and jumps to
// a label. With DEBUG_ASSERT_PRODUCTION_CODE set to 1, no lines are written.

#include "CoreFoundation/CFSystemNames.h"

#include <stdio.h>

#ifndef DEBUG_ASSERT_PRODUCTION_CODE
/// 1 if no lines are written; a program sets it before it includes this header.
#define DEBUG_ASSERT_PRODUCTION_CODE 0
#endif
#ifndef DEBUG_ASSERT_COMPONENT_NAME_STRING
/// The name of the program at the beginning of each line.
#define DEBUG_ASSERT_COMPONENT_NAME_STRING ""
#endif
#ifndef DEBUG_ASSERT_MESSAGE
/// Writes a line to standard error; a program may define it otherwise.
#define DEBUG_ASSERT_MESSAGE(name, assertion, label, message, file, line, value) \
  fprintf(stderr, "AssertMacros: %s %s%s%s file: %s, line: %d, value: %ld\n", name, assertion, \
          (label) ? " " : "", (label) ? (const char *)(label) : "", file, (int)(line), (long)(value))
#endif

#if DEBUG_ASSERT_PRODUCTION_CODE
#define __Assert_tell(assertion, label, value) ((void)0)
#else
#define __Assert_tell(assertion, label, value) \
  ((void)DEBUG_ASSERT_MESSAGE(DEBUG_ASSERT_COMPONENT_NAME_STRING, assertion, \
                              (const char *)(label), 0, __FILE__, __LINE__, value))
#endif

#define __Verify(assertion) \
  do { \
    if (!(assertion)) __Assert_tell(#assertion, 0, 0); \
  } while (0)
#define __Verify_noErr(error) \
  do { \
    const long assert_value_ = (long)(error); \
    if (assert_value_ != 0) __Assert_tell(#error " == 0", 0, assert_value_); \
  } while (0)
#define __Verify_noErr_Action(error, action) \
  do { \
    const long assert_value_ = (long)(error); \
    if (assert_value_ != 0) { \
      __Assert_tell(#error " == 0", 0, assert_value_); \
      { action; } \
    } \
  } while (0)
#define __Verify_Action(assertion, action) \
  do { \
    if (!(assertion)) { \
      __Assert_tell(#assertion, 0, 0); \
      { action; } \
    } \
  } while (0)
#define __Verify_String(assertion, message) \
  do { \
    if (!(assertion)) __Assert_tell(#assertion, message, 0); \
  } while (0)

#if DEBUG_ASSERT_PRODUCTION_CODE
#define __Check(assertion) ((void)0)
#define __Check_noErr(error) ((void)0)
#define __Check_String(assertion, message) ((void)0)
#else
#define __Check(assertion) __Verify(assertion)
#define __Check_noErr(error) __Verify_noErr(error)
#define __Check_String(assertion, message) __Verify_String(assertion, message)
#endif
#define __nCheck(assertion) __Check(!(assertion))
#define __nVerify(assertion) __Verify(!(assertion))

#define __Require_Action(assertion, label, action) \
  do { \
    if (!(assertion)) { \
      __Assert_tell(#assertion, #label, 0); \
      { action; } \
      goto label; \
    } \
  } while (0)
#define __Require_Action_Quiet(assertion, label, action) \
  do { \
    if (!(assertion)) { \
      { action; } \
      goto label; \
    } \
  } while (0)
#define __Require_noErr_Action(error, label, action) \
  do { \
    const long assert_value_ = (long)(error); \
    if (assert_value_ != 0) { \
      __Assert_tell(#error " == 0", #label, assert_value_); \
      { action; } \
      goto label; \
    } \
  } while (0)
#define __Require_noErr_Action_Quiet(error, label, action) \
  __Require_Action_Quiet((error) == 0, label, action)
#define __Require(assertion, label) __Require_Action(assertion, label, (void)0)
#define __Require_Quiet(assertion, label) __Require_Action_Quiet(assertion, label, (void)0)
#define __Require_String(assertion, label, message) __Require_Action(assertion, label, (void)0)
#define __Require_noErr(error, label) __Require_noErr_Action(error, label, (void)0)
#define __Require_noErr_Quiet(error, label) __Require_Action_Quiet((error) == 0, label, (void)0)
#define __nRequire(assertion, label) __Require(!(assertion), label)

// The names that most programs use. A program with its own declarations of these names sets this to
// 0.
#ifndef __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES 1
#endif
#if __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
/// Writes a line if a condition is false. In production code the condition is not evaluated.
#define check(assertion) __Check(assertion)
/// Writes a line with an error if it is not 0. In production code it is not evaluated.
#define check_noerr(error) __Check_noErr(error)
/// Writes a line with a message if a condition is false. In production code the condition is not
/// evaluated.
#define check_string(assertion, message) __Check_String(assertion, message)
/// Writes a line if a condition is true. In production code the condition is not evaluated.
#define ncheck(assertion) __nCheck(assertion)
/// Writes a line if a condition is false; always evaluates it.
#define verify(assertion) __Verify(assertion)
/// Writes a line with an error if it is not 0; always evaluates it.
#define verify_noerr(error) __Verify_noErr(error)
/// Writes a line with an error and performs an action if it is not 0.
#define verify_noerr_action(error, action) __Verify_noErr_Action(error, action)
/// Writes a line and performs an action if a condition is false.
#define verify_action(assertion, action) __Verify_Action(assertion, action)
/// Writes a line with a message if a condition is false; always evaluates it.
#define verify_string(assertion, message) __Verify_String(assertion, message)
/// Writes a line if a condition is true; always evaluates it.
#define nverify(assertion) __nVerify(assertion)
/// Writes a line and jumps to a label if a condition is false.
#define require(assertion, label) __Require(assertion, label)
/// Jumps to a label if a condition is false.
#define require_quiet(assertion, label) __Require_Quiet(assertion, label)
/// Writes a line and jumps to a label if a condition is false. The message is not written.
#define require_string(assertion, label, message) __Require_String(assertion, label, message)
/// Writes a line, performs an action and jumps to a label if a condition is false.
#define require_action(assertion, label, action) __Require_Action(assertion, label, action)
/// Performs an action and jumps to a label if a condition is false.
#define require_action_quiet(assertion, label, action) \
  __Require_Action_Quiet(assertion, label, action)
/// Writes a line with an error and jumps to a label if it is not 0.
#define require_noerr(error, label) __Require_noErr(error, label)
/// Jumps to a label if an error is not 0.
#define require_noerr_quiet(error, label) __Require_noErr_Quiet(error, label)
/// Writes a line with an error, performs an action and jumps to a label if it is not 0.
#define require_noerr_action(error, label, action) __Require_noErr_Action(error, label, action)
/// Performs an action and jumps to a label if an error is not 0.
#define require_noerr_action_quiet(error, label, action) \
  __Require_noErr_Action_Quiet(error, label, action)
/// Writes a line and jumps to a label if a condition is true.
#define nrequire(assertion, label) __nRequire(assertion, label)
#endif

#endif
