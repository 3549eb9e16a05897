/** A question whose answer is known beforehand. */
export interface CheckPrompt {
  text: string;
  /** Why an answer is none, if it is none. */
  problem(answer: string): string | undefined;
}

const manners = "Do not use any tool, and do not read any file.";

/** It costs next to nothing; any answer shows that the program and its login work. */
export const smallPrompt: CheckPrompt = {
  text: `Answer with the single word OK and nothing else. ${manners}\n`,
  problem: () => undefined,
};

/** As large as that of a review can be by default: far more than an argument of a command line may hold. */
const largeBytes = 200 * 1024;
const places = ["beginning", "middle", "end"] as const;

/** Only who was given all of it, and reads it to its end, can answer. */
export function largePrompt(newWord = () => crypto.randomUUID().slice(0, 8)): CheckPrompt {
  const words = places.map((place) => ({ place, word: newWord() }));
  const marks = words.map(({ place, word }) => `The word at the ${place} is ${word}.\n`);
  const head = `Below is a long text that means nothing, except for three lines which name a word each: at its beginning, in its middle and at its end. Answer with these three words and nothing else. ${manners}\n\n`;
  const fillerBytes = Math.floor((largeBytes - Buffer.byteLength(head + marks.join(""))) / 2);
  const [beginning, middle, end] = marks;
  const text = `${head}${beginning}${filler(fillerBytes)}${middle}${filler(fillerBytes)}${end}`;
  return {
    text,
    problem(answer) {
      const missing = words.filter(({ word }) => !answer.includes(word)).map(({ place }) => place);
      if (missing.length === 0) return undefined;
      return `it was asked with ${Buffer.byteLength(text)} bytes, and its answer lacks the word at the ${missing.join(", the ")}`;
    },
  };
}

/** Lines that differ, because a text that repeats itself is read less closely. */
function filler(bytes: number): string {
  let text = "";
  for (let line = 1; text.length < bytes; line++) text += `Line ${line} of this part is of no importance.\n`;
  return `${text.slice(0, bytes - 1)}\n`;
}
