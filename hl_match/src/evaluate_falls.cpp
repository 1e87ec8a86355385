// SPDX-License-Identifier: Apache-2.0
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"

namespace hl_match {

std::vector<Figure> evaluate_falls(EvaluationContext& context) {
  const EvaluationOptions& options = context.options();
  const auto world = installed_match(options.robot);
  const std::size_t count = context.trials();
  std::vector<Figure> figures;
  for (const auto side :
       {hl_hcm::Direction::Front, hl_hcm::Direction::Back, hl_hcm::Direction::Left, hl_hcm::Direction::Right}) {
    std::vector<GetUpResult> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) { results[i] = get_up(world, side, options.seed + i); });
    std::vector<double> times;
    std::size_t standing = 0;
    for (const auto& result : results) {
      standing += result.stands;
      if (result.stands) times.push_back(result.time);
    }
    figures.push_back(share_of(std::string("gets up from its ") + name_of(side), standing, count));
    figures.push_back(mean_of(std::string("time to get up from its ") + name_of(side), times, "s"));
  }
  std::vector<PushResult> pushes(count);
  in_parallel(count, options.threads, [&](std::size_t i) { pushes[i] = push_over(world, options.seed + i); });
  std::size_t fell = 0, missed = 0, stood = 0, alarms = 0, again = 0;
  std::vector<double> leads;
  for (const auto& push : pushes) {
    fell += push.fell;
    stood += !push.fell;
    missed += push.fell && !push.noticed;
    alarms += !push.fell && push.noticed;
    again += push.stands;
    if (push.fell && push.noticed) leads.push_back(push.lead);
  }
  figures.push_back(share_of("pushed over: falls that were not noticed", missed, fell));
  figures.push_back(share_of("pushed, did not fall: false alarms", alarms, stood));
  figures.push_back(mean_of("from the alarm to the ground", leads, "s"));
  figures.push_back(share_of("pushed with 20 to 70 N: stands after 24 s", again, count));
  return figures;
}

}  // namespace hl_match
