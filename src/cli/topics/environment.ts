import {
  type EnvironmentVariable,
  environmentVariables,
  heededVariables,
  openings,
} from "../../config/environment.ts";
import { harnesses } from "../../harness/registry.ts";
import { entries, paragraphs, section } from "../help.ts";

/** Every variable of the environment that means something to roborev. */
export async function environmentTopic(): Promise<string> {
  const { hookVariableNames } = await import("../../daemon/review-hooks/values.ts");
  const rows = (of: EnvironmentVariable["of"]) =>
    environmentVariables
      .filter((variable) => variable.of === of)
      .map(({ name, meaning }) => [name, sentence(meaning)] as const);
  const moved = harnesses.flatMap(({ displayName, config: { directoryVariable } }) =>
    directoryVariable === undefined
      ? []
      : [[directoryVariable, `Where ${displayName} keeps its configuration`] as const],
  );
  return [
    "Variables of the environment",
    ...section("Yours to set", entries(rows("yours"))),
    ...section(
      "Heeded as by other programs",
      entries(heededVariables.map(([names, meaning]) => [names, sentence(meaning)])),
    ),
    ...section("Those of coding agents, which tell where hooks and skills are written", entries(moved)),
    ...section("Set by roborev for what it starts", entries(rows("tool"))),
    ...section("Given to your review hooks, the [[hooks]]", paragraphs(hookVariableNames.join(", "))),
    ...section("Read by install.sh", entries(rows("installer"))),
    ...section(
      "Never export these",
      entries(Object.entries(openings).map(([name, what]) => [name, sentence(what)])),
    ),
  ].join("\n");
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
