// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A process that publishes what `robots` robots say, at their full rates, until it is killed. Namespaces are robot1,
/// ... The pose's x carries the time of sending (s of the steady clock, modulo 1000), so that a viewer can tell how
/// late it is.
int run_synthetic_robots(int robots);
double steady_seconds();
