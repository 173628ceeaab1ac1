// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The folder in which the sound servers of this test process live. It need not exist yet.
///
/// Before any thread runs, the environment is made to point there, for every library and every
/// program that a test starts: the tests never reach the servers of the person who runs them, and no
/// test has to change an environment that others read. It also names the bank of instruments that
/// Scripts/setup installs, whatever the default of the machine is.
const char *server_folder(void);

/// The name of this process's JACK server.
const char *jack_server_name(void);

/// The socket of this process's PulseAudio server.
const char *pulse_socket(void);

/// The file that ALSA reads in the place of its own configuration.
const char *alsa_configuration_file(void);
