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
    /// Reads the sum of the figures of processes.
    pub fn measure(processes: &[ChildGuard]) -> AnyResult<Usage> {
        Usage::sum(processes.iter().map(|process| process.0.id().to_string()))
    }

    /// Reads the sum of the figures of all processes of PostgreSQL.
    fn measure_postgres() -> AnyResult<Usage> {
        let mut ids = Vec::new();
        for process in fs::read_dir("/proc")? {
            let process = process?.path();
            if fs::read_to_string(process.join("comm")).is_ok_and(|name| name == "postgres\n") {
                ids.extend(process.file_name().map(|id| id.to_string_lossy().into_owned()));
            }
        }
        Usage::sum(ids.into_iter())
    }

    fn sum(ids: impl Iterator<Item = String>) -> AnyResult<Usage> {
        let mut sum = Usage { cpu_ms: 0.0, switches: 0.0 };
        for id in ids {
            // A connection of PostgreSQL may have ended.
            if let Ok(one) = Usage::measure_one(&id) {
                sum.cpu_ms += one.cpu_ms;
                sum.switches += one.switches;
            }
        }
        Ok(sum)
    }

    /// Reads the figures of all threads that still run.
    fn measure_one(id: &str) -> AnyResult<Usage> {
        let (mut cpu_ns, mut switches) = (0.0, 0.0);
        for thread in fs::read_dir(format!("/proc/{id}/task"))? {
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

/// Figures of servers and of PostgreSQL when a measurement began.
pub struct Measurement<'a> {
    processes: &'a [ChildGuard],
    before: [Usage; 2],
}

impl Measurement<'_> {
    /// Begins to measure these servers, and PostgreSQL.
    pub fn start(processes: &[ChildGuard]) -> AnyResult<Measurement<'_>> {
        let before = [Usage::measure(processes)?, Usage::measure_postgres()?];
        Ok(Measurement { processes, before })
    }

    /// Returns what the servers, and what PostgreSQL have used since the start.
    pub fn used(&self) -> AnyResult<[Usage; 2]> {
        let [servers, database] = self.before;
        Ok([
            Usage::measure(self.processes)?.since(servers),
            Usage::measure_postgres()?.since(database),
        ])
    }
}

/// Returns the resident memory of a process, in KiB.
pub fn resident_kib(process: &ChildGuard) -> AnyResult<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.0.id()))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.split_whitespace().nth(1).ok_or("no value")?.parse()?)
}
