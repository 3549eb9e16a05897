import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { type ReviewScene, reviewScene } from "../support/review-scene.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

// A diff beyond the size of a prompt, through the real daemon, with a reviewer that reads the file that it is given, one
// that does not, and one that dies first.

let scene: ReviewScene;
let place: TempDir;
beforeAll(async () => {
  place = tempDir();
  // What the stub does is in a file beside it, so that one daemon serves every test.
  const command = stubReviewer(place.join("claude"), `dir='${place.path}'; . "$dir/script"`);
  scene = await reviewScene({ config: `default_agent = "claude-code"\nclaude_code_cmd = "${command}"\n` });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

const files = 3;
const lines = 1100;

function largeRepo(): TestRepo {
  const repo = testRepo();
  const body = (file: number) =>
    Array.from(
      { length: lines },
      (_, n) => `export const value${file}x${n} = "${"some text ".repeat(6)}";\n`,
    ).join("");
  repo.commit(
    "large",
    Object.fromEntries(Array.from({ length: files }, (_, n) => [`src/f${n}.ts`, body(n)])),
  );
  return repo;
}

const script = (text: string) => Bun.write(place.join("script"), text);
/** The words of the marks, as a reviewer finds them that reads the file which its prompt names. */
const readsFile = `cat > "$dir/prompt"
name=$(grep -o '\\.roborev-[0-9a-f]*\\.diff' "$dir/prompt" | head -1)
marks=$(sed -n 's/^\\\\ roborev mark .*: //p' "./$name" | tr '\\n' ' ')
ls -a > "$dir/seen"; grep -c value "./$name" >> "$dir/seen"
`;
const leftovers = () => readdirSync(`${scene.dataDir}/worktrees`);

test("V06 is read from a file beside the commit, proved by its marks, and the file is gone afterwards", async () => {
  using repo = largeRepo();
  await script(`${readsFile}say "No issues found. Read src/f1.ts. Marks: $marks"`);
  const job = await scene.reviewed(repo.path, { git_ref: "HEAD" });
  expect([job.status, job.verdict, job.error]).toEqual(["done", "P", undefined]);
  expect(job.evidence).toMatchObject({
    reviewed_sha: repo.git("rev-parse", "HEAD"),
    delivery: "file",
    nonce_ok: true,
    chunks: 1,
    files_in_diff: files,
    files_sent: files,
    sent_files: ["src/f0.ts", "src/f1.ts", "src/f2.ts"],
  });
  const diff = Bun.spawnSync(["git", "show", "--format=", "HEAD"], { cwd: repo.path }).stdout;
  expect(job.evidence?.diff_sha256).toBe(new Bun.CryptoHasher("sha256").update(diff).digest("hex"));
  expect(readFileSync(place.join("seen"), "utf8")).toMatch(
    new RegExp(`^\\.roborev-.*\\.diff$[^]*\\n${files * lines}\\n$`, "m"),
  );
  for (let n = 0; n < files; n++) expect(job.prompt).toContain(`| src/f${n}.ts  +${lines} -0`);
  expect(leftovers()).toEqual([]);
  expect(git(repo.path, "status", "--porcelain", "--ignored")).toBe("");
});

test("V06 a reviewer that dies finds a new file when it is started again", async () => {
  using repo = largeRepo();
  await script(`${readsFile}echo "$name" >> "$dir/names"
if [ $(wc -l < "$dir/names") -lt 2 ]; then echo 'stream disconnected before completion' >&2; exit 1; fi
say "No issues found. Read src/f1.ts. Marks: $marks"`);
  const job = await scene.reviewed(repo.path, { git_ref: "HEAD" });
  expect([job.status, job.verdict, job.evidence?.delivery]).toEqual(["done", "P", "file"]);
  const names = readFileSync(place.join("names"), "utf8").trim().split("\n");
  expect([names.length, new Set(names).size]).toEqual([2, 2]);
  expect(leftovers()).toEqual([]);
});

test("V06 a pass without the marks is no review: the retry, and all later ones, see the diff in their prompts", async () => {
  using repo = largeRepo();
  await script(`cat > "$dir/prompt.$$"; cp "$dir/prompt.$$" "$dir/last"
say "No issues found. $(grep -o 'src/f[0-9]\\.ts' "$dir/prompt.$$" | tail -1)"`);
  const job = await scene.reviewed(repo.path, { git_ref: "HEAD" });
  expect([job.status, job.verdict]).toEqual(["done", "P"]);
  expect(job.retry_count).toBe(1);
  expect(job.evidence).toMatchObject({ delivery: "chunked", files_sent: files });
  expect(job.evidence?.nonce_ok).toBeUndefined();
  expect(job.evidence?.chunks).toBeGreaterThan(1);
  expect(existsSync(place.join("last"))).toBe(true);
  repo.write("src/f9.ts", readFileSync(`${repo.path}/src/f0.ts`, "utf8").repeat(3));
  repo.commit("again");
  const next = await scene.reviewed(repo.path, { git_ref: "HEAD" });
  expect([next.verdict, next.retry_count, next.evidence?.delivery]).toEqual(["P", 0, "chunked"]);
});

test("V02 D38 a review that is unable twice, in words or in its data, is a failed job with its reason, and no verdict", async () => {
  using repo = testRepo();
  repo.commit("small", { "a.ts": "1\n" });
  const data = { schema_version: 2, verdict: "unable_to_review", findings: [], summary: "the sandbox broke" };
  const block = JSON.stringify(`\`\`\`json\n${JSON.stringify(data)}\n\`\`\``).slice(1, -1);
  await script(`cat > /dev/null
if [ -e "$dir/asked" ]; then say '${block}'; exit 0; fi
touch "$dir/asked"; say 'UNABLE TO REVIEW: the sandbox does not start'`);
  const job = await scene.reviewed(repo.path, { git_ref: "HEAD" });
  expect([job.status, job.verdict, job.retry_count]).toEqual(["failed", undefined, 1]);
  expect(job.error).toBe("no-verdict: the sandbox broke");
});
