import { statfs } from "node:fs/promises";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";
import { version } from "../lib/version.ts";
import type { HealthComponent, HealthStatus } from "./api/health.ts";
import type { Services } from "./services.ts";

/** How the parts of the daemon are. */
export async function healthComponents(services: Services): Promise<HealthComponent[]> {
  const { loaded, problem } = await services.config.loadOrKeep(services.paths.config);
  return [
    await databaseComponent(services),
    workersComponent(services.engine),
    configComponent(problem, [...pendingRestart(services), ...loaded.warnings]),
    hookComponent(services),
  ];
}

export const isHealthy = (components: HealthComponent[]): boolean =>
  components.every(({ healthy }) => healthy);

export const uptimeSeconds = ({ clock, startedAt }: Pick<Services, "clock" | "startedAt">): number =>
  Math.floor((clock.now().getTime() - startedAt.getTime()) / 1000);

export async function healthStatus(services: Services): Promise<HealthStatus> {
  const { engine, errors } = services;
  const components = await healthComponents(services);
  const canKeep = components.some(({ name, healthy }) => name === "database" && healthy);
  return {
    healthy: isHealthy(components),
    ready: canKeep && !engine.isDraining,
    uptime_seconds: uptimeSeconds(services),
    version,
    components,
    recent_errors: errors
      .recent()
      .slice(0, 10)
      .map((error) => ({ ...error, level: "error" as const })),
    error_count_24h: errors.count(),
  };
}

const pendingRestart = ({ configWatch }: Services): string[] =>
  configWatch.pendingRestart.map((name) => `${name} takes effect with roborev daemon restart`);

function workersComponent(engine: Services["engine"]): HealthComponent {
  const stalled = engine.stalled();
  if (stalled.length === 0) return { name: "workers", healthy: true };
  const [subject, object] = stalled.length === 1 ? ["job", "it"] : ["jobs", "them"];
  return {
    name: "workers",
    healthy: false,
    message: `${subject} ${stalled.join(", ")} should have ended long ago. Cancel ${object}, or run: roborev daemon restart --running=interrupt`,
  };
}

/** A key without effect makes nothing unhealthy, but here its author looks for it. */
function configComponent(problem: RoborevError | undefined, warnings: string[]): HealthComponent {
  if (problem) return { name: "config", healthy: false, message: withHint(problem) };
  const [first, ...further] = warnings;
  const more = further.length > 0 ? `, and ${further.length} more` : "";
  return { name: "config", healthy: true, ...(first === undefined ? {} : { message: `${first}${more}` }) };
}

function hookComponent(services: Services): HealthComponent {
  try {
    services.hooks();
    return { name: "agent_hook", healthy: true };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { name: "agent_hook", healthy: false, message: withHint(error) };
  }
}

const leastFreeBytes = 1024 * 1024;

/** Reading goes on when the disk is full, so a query alone would not show it. */
async function databaseComponent({ database, paths }: Services): Promise<HealthComponent> {
  const ill = (message: string): HealthComponent => ({ name: "database", healthy: false, message });
  try {
    await database((store) => store.jobs.newestId());
  } catch (error) {
    return ill(redactSecrets(errorMessage(error)));
  }
  const { bavail, bsize } = await statfs(paths.dataDir);
  if (bavail * bsize >= leastFreeBytes) return { name: "database", healthy: true };
  const left = Math.floor((bavail * bsize) / 1024);
  return ill(`the disk of ${paths.dataDir} is full, ${left} KiB left`);
}

const withHint = ({ message, hint }: RoborevError) => (hint === undefined ? message : `${message}. ${hint}`);
