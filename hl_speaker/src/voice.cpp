// SPDX-License-Identifier: Apache-2.0
#include "hl_speaker/voice.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace hl_speaker {

std::optional<std::string> Voice::Params::validate() const {
  if (speech_program.empty() || sound_program.empty()) return "the programs for speech and sound must be named";
  const bool plain = !language.empty() && std::all_of(language.begin(), language.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '+';
  });
  if (!plain) return "language '" + language + "' is not a voice name; use for example en or de";
  if (speed < 80 || speed > 450) return "speed must lie between 80 and 450 words per minute";
  if (pitch < 0 || pitch > 99) return "pitch must lie between 0 and 99";
  if (volume < 0 || volume > 200) return "volume must lie between 0 and 200";
  return std::nullopt;
}

std::vector<std::string> Voice::command_for(const Utterance& utterance) const {
  if (!utterance.filename.empty()) return {params_.sound_program, "-q", "--", utterance.filename};
  return {params_.speech_program,
          "-v",
          params_.language,
          "-s",
          std::to_string(params_.speed),
          "-p",
          std::to_string(params_.pitch),
          "-a",
          std::to_string(params_.volume),
          "--",
          utterance.text};
}

std::optional<std::string> Voice::start(const Utterance& utterance) {
  auto command = command_for(utterance);
  std::vector<char*> arguments;
  for (auto& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  failure_.reset();
  const int error = posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return std::nullopt;
  pid_ = -1;
  return "cannot start " + command[0] + ": " + std::strerror(error) + "; install it (Debian: apt install " +
         command[0] + ")";
}

bool Voice::speaking() {
  if (pid_ < 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == 0) return true;
  pid_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    failure_ = "the voice ended with an error: is there a sound card? (see `aplay -l`)";
  }
  return false;
}

Voice::~Voice() {
  if (pid_ < 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

}  // namespace hl_speaker
