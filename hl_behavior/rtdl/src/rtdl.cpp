// SPDX-License-Identifier: Apache-2.0
// rtdl: check, format, convert, draw and run tasks; list what the robot can do.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "hl_behavior/rtdl/drawing.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/soccer.hpp"
#include "hl_behavior/rtdl/syntax.hpp"
#include "hl_behavior/rtdl/validator.hpp"
#include "run_task_command.hpp"

namespace {

using namespace hl_behavior::rtdl;  // NOLINT(google-build-using-namespace): a program

constexpr int kFine = 0, kErrors = 1, kTrouble = 2;

struct Options {
  std::vector<std::string> files;
  std::string file, to, as = "text", output, catalogue;
  std::vector<std::string> tasks;
  bool in_place = false, strict = false;
  std::vector<std::string> arguments;
  std::string robot;
  double time_limit = 0.0;  // s
  double patience = 10.0;   // s
};

std::string text_of(const std::string& file) {
  if (file != "-") return read_text(file);
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

std::filesystem::path folder_of(const std::string& file) {
  const auto folder = file == "-" ? std::filesystem::path() : std::filesystem::path(file).parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

/// The one asked for, or the one that lies beside the task, or that of the soccer robot.
Catalogue catalogue_for(const Options& options, const std::string& file) {
  if (!options.catalogue.empty()) return read_catalogue(options.catalogue);
  const auto beside = folder_of(file) / "catalogue.yaml";
  if (!file.empty() && std::filesystem::exists(beside)) return read_catalogue(beside.string());
  return *soccer_catalogue();
}

void print(const Report& report) {
  for (const Diagnostic& diagnostic : report.all()) std::cerr << to_text(diagnostic) << "\n";
}

int check(const Options& options) {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  for (const std::string& file : options.files) {
    Report report(file);
    const Document document = read(text_of(file), report);
    Library library;
    std::vector<Report> ignored;  // errors of neighbours are theirs
    if (file != "-") library.add_folder(folder_of(file).string(), ignored);
    for (const std::string& folder : options.tasks) library.add_folder(folder, ignored);
    validate(document, catalogue_for(options, file), library, report);
    print(report);
    errors += report.errors();
    warnings += report.warnings();
  }
  std::cout << options.files.size() << " files, " << errors << " errors, " << warnings << " warnings\n";
  return errors > 0 || (options.strict && warnings > 0) ? kErrors : kFine;
}

void put(const std::string& text, const std::string& path) {
  if (path.empty() || path == "-") {
    std::cout << text;
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

/// Reads one file and writes what `make` makes of it; nothing if it has errors.
template <class Make>
int rewrite(const std::string& file, const std::string& output, Make make) {
  Report report(file);
  const std::string text = text_of(file);
  const Document document = read(text, report);
  print(report);
  if (!report.ok()) return kErrors;
  put(make(document, text), output);
  return kFine;
}

int format(const Options& options) {
  int outcome = kFine;
  for (const std::string& file : options.files) {
    outcome =
        std::max(outcome, rewrite(file, options.in_place ? file : "", [](const Document& document, const auto& text) {
                   return looks_like_xml(text) ? write_xml(document) : write_function(document);
                 }));
  }
  return outcome;
}

int capabilities(const Options& options) {
  const Catalogue catalogue = catalogue_for(options, "");
  std::cout << (options.as == "yaml" ? write_catalogue(catalogue) : describe(catalogue));
  return kFine;
}

/// On the robot. A file is checked here first, so that its errors are told with its name.
int run_task(const Options& options, int argc, char** argv) {
  hl_behavior::RunTaskCommand command;
  if (options.file == "-" || std::filesystem::exists(options.file)) {
    command.text = text_of(options.file);
    Report report(options.file);
    const Document document = read(command.text, report);
    if (report.ok()) {
      Library library;
      std::vector<Report> ignored;
      if (options.file != "-") library.add_folder(folder_of(options.file).string(), ignored);
      validate(document, *soccer_catalogue(), library, report);
    }
    print(report);
    if (!report.ok()) return kErrors;
  } else if (options.file.find_first_of("./") != std::string::npos) {
    throw std::runtime_error(options.file + ": cannot be read");
  } else {
    command.name = options.file;  // a task that the robot has
  }
  command.arguments = options.arguments;
  command.robot = options.robot;
  command.time_limit = options.time_limit;
  command.patience = options.patience;
  return command.run(argc, argv);
}

int run(int argc, char** argv) {
  CLI::App app("RTDL, the robot task language: check, format, convert, draw and run tasks.");
  app.footer(
      "Exit code: 0 fine, 1 errors in a task or it failed, 2 a file cannot be read, no robot answers or the command "
      "line "
      "is wrong, 130 interrupted.");
  app.require_subcommand(1);
  Options options;
  auto* check_command = app.add_subcommand("check", "Report everything that is wrong with tasks");
  check_command->add_option("FILE", options.files, "tasks in either syntax; - for standard input")->required();
  check_command->add_option("--catalogue", options.catalogue,
                            "YAML file of the robot; default: catalogue.yaml beside the task, else the soccer robot");
  check_command->add_option("--tasks", options.tasks, "more folders of tasks that may be called");
  check_command->add_flag("--strict", options.strict, "warnings count as errors");
  auto* format_command = app.add_subcommand("format", "Print tasks in the usual form, in their own syntax");
  format_command->add_option("FILE", options.files, "tasks")->required();
  format_command->add_flag("-i,--in-place", options.in_place, "write the files instead");
  auto* convert_command = app.add_subcommand("convert", "Print a task in the other syntax");
  convert_command->add_option("--to", options.to, "xml or function")
      ->required()
      ->check(CLI::IsMember({"xml", "function"}));
  convert_command->add_option("FILE", options.file, "task")->required();
  convert_command->add_option("-o,--output", options.output, "file to write");
  auto* draw_command = app.add_subcommand("draw", "Draw a task");
  draw_command->add_option("--as", options.as, "dot or svg")->required()->check(CLI::IsMember({"dot", "svg"}));
  draw_command->add_option("FILE", options.file, "task")->required();
  draw_command->add_option("-o,--output", options.output, "file to write");
  auto* capabilities_command = app.add_subcommand("capabilities", "List what the robot can do and what can be asked");
  capabilities_command->add_option("--as", options.as, "text or yaml")->check(CLI::IsMember({"text", "yaml"}));
  capabilities_command->add_option("--catalogue", options.catalogue, "YAML file of another robot");
  auto* run_command =
      app.add_subcommand("run", "Have the robot carry out a task and show what happens; Ctrl-C cancels");
  run_command
      ->add_option("FILE", options.file,
                   "task in either syntax, or the name of one the robot has; - for standard input")
      ->required();
  run_command->add_option("ARGUMENTS", options.arguments, "of the task, as RTDL writes them: Player2 1 0.5");
  run_command->add_option("--robot", options.robot, "namespace of the robot, such as robot1");
  run_command->add_option("--time-limit", options.time_limit, "s; default: the robot's")
      ->check(CLI::Range(0.0, 36000.0));
  run_command->add_option("--patience", options.patience, "s to wait for the robot; default: 10")
      ->check(CLI::Range(0.0, 3600.0));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFine : kTrouble;
  }
  if (check_command->parsed()) return check(options);
  if (format_command->parsed()) return format(options);
  if (capabilities_command->parsed()) return capabilities(options);
  if (run_command->parsed()) return run_task(options, argc, argv);
  if (convert_command->parsed()) {
    return rewrite(options.file, options.output, [&](const Document& document, const auto&) {
      return options.to == "xml" ? write_xml(document) : write_function(document);
    });
  }
  return rewrite(options.file, options.output, [&](const Document& document, const auto&) {
    return options.as == "dot" ? draw_dot(document) : draw_svg(document);
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "rtdl: " << error.what() << "\n";
    return kTrouble;
  }
}
