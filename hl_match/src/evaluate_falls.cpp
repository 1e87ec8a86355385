// SPDX-License-Identifier: Apache-2.0
#include "hl_match/evaluations.hpp"
#include "hl_match/impact.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"

namespace hl_match {
namespace {

using hl_hcm::Direction;

struct Rows {
  const EvaluationOptions& options;
  Match::Params world;
  std::size_t count;
  std::vector<Figure> figures;
};

void getting_up(Rows& rows) {
  for (const auto side : kSides) {
    std::vector<GetUpResult> results(rows.count);
    in_parallel(rows.count, rows.options.threads,
                [&](std::size_t i) { results[i] = get_up(rows.world, side, rows.options.seed + i); });
    std::vector<double> times;
    std::size_t standing = 0;
    for (const auto& result : results) {
      standing += result.stands;
      if (result.stands) times.push_back(result.time);
    }
    rows.figures.push_back(share_of(std::string("gets up from its ") + name_of(side), standing, rows.count));
    rows.figures.push_back(mean_of(std::string("time to get up from its ") + name_of(side), times, "s"));
  }
}

void pushed(Rows& rows) {
  std::vector<PushResult> pushes(rows.count);
  in_parallel(rows.count, rows.options.threads,
              [&](std::size_t i) { pushes[i] = push_over(rows.world, rows.options.seed + i); });
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
  rows.figures.push_back(share_of("pushed over: falls that were not noticed", missed, fell));
  rows.figures.push_back(share_of("pushed, did not fall: false alarms", alarms, stood));
  rows.figures.push_back(mean_of("from the alarm to the ground", leads, "s"));
  rows.figures.push_back(share_of("pushed with 20 to 70 N: stands after 24 s", again, rows.count));
}

/// How hard head and hips hit the ground, stiff and in the HCM's protective pose.
void impacts(Rows& rows) {
  struct Fall {
    Impact impact;
    bool up_again = false;
  };
  struct Reaction {
    const char* name;
    Match::Params world;
  };
  for (const auto side : kSides) {
    for (const Reaction& reaction :
         {Reaction{"stiff", without_fall_reactions(rows.world)}, Reaction{"protective pose", rows.world}}) {
      std::vector<Fall> falls(rows.count);
      in_parallel(rows.count, rows.options.threads, [&](std::size_t i) {
        falls[i].impact = push_down(reaction.world, side, rows.options.seed + i, [&](LoneRobot& robot) {
          robot.run_until(hl_hcm::State::Controllable, 25.0);
          falls[i].up_again = robot.stands();
        });
      });
      const std::string title = std::string("falls to the ") + name_of(side) + ", " + reaction.name + ": ";
      const auto median = [&](const char* what, double Impact::*value, const char* unit) {
        std::vector<std::vector<double>> samples;
        for (const Fall& fall : falls)
          if (fall.impact.fell) samples.push_back({fall.impact.*value});
        rows.figures.push_back(quantile_of(title + what + ", median", samples, 0.5, unit));
      };
      median("head", &Impact::head_acceleration, "m/s^2");
      median("hips", &Impact::hip_acceleration, "m/s^2");
      median("ground on head", &Impact::head_force, "N");
      median("ground on trunk", &Impact::trunk_force, "N");
      std::size_t again = 0;
      std::vector<std::vector<double>> leads;
      for (const Fall& fall : falls) {
        again += fall.up_again;
        if (fall.impact.lead) leads.push_back({*fall.impact.lead});
      }
      if (!leads.empty()) rows.figures.push_back(quantile_of(title + "from alarm to ground, median", leads, 0.5, "s"));
      rows.figures.push_back(share_of(title + "up again", again, rows.count));
    }
  }
}

}  // namespace

std::vector<Figure> evaluate_falls(EvaluationContext& context) {
  Rows rows{context.options(), installed_match(context.options().robot), context.trials(), {}};
  if (context.wants("up")) getting_up(rows);
  if (context.wants("pushed")) pushed(rows);
  if (context.wants("impact")) impacts(rows);
  return rows.figures;
}

}  // namespace hl_match
