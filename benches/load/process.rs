//! Figures of a running process, from `/proc`.

use crate::common::{AnyResult, ChildGuard};
use std::fs;

/// CPU time and context switches of all threads of a process so far.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// CPU time, in milliseconds.
    pub cpu_ms: f64,
    /// Voluntary and involuntary context switches.
    pub switches: f64,
}

impl Usage {
    /// Reads the figures of all threads that still run.
    pub fn measure(process: &ChildGuard) -> AnyResult<Usage> {
        let (mut cpu_ns, mut switches) = (0.0, 0.0);
        for thread in fs::read_dir(format!("/proc/{}/task", process.0.id()))? {
            let thread = thread?.path();
            let times = fs::read_to_string(thread.join("schedstat"))?;
            cpu_ns += times.split(' ').next().unwrap_or_default().parse::<f64>()?;
            let status = fs::read_to_string(thread.join("status"))?;
            for line in status.lines().filter(|line| line.contains("ctxt_switches")) {
                switches += line.rsplit('\t').next().unwrap_or_default().parse::<f64>()?;
            }
        }
        Ok(Usage { cpu_ms: cpu_ns / 1e6, switches })
    }

    /// Returns what was used since `earlier`.
    pub fn since(self, earlier: Usage) -> Usage {
        Usage { cpu_ms: self.cpu_ms - earlier.cpu_ms, switches: self.switches - earlier.switches }
    }
}

/// Returns the resident memory of a process, in KiB.
pub fn resident_kib(process: &ChildGuard) -> AnyResult<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.0.id()))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.split_whitespace().nth(1).ok_or("no value")?.parse()?)
}
