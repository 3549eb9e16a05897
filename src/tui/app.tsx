import { Box, Text, useInput, usePaste, useWindowSize } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import { keyPresses } from "./input.ts";
import type { ModelStore } from "./store.ts";
import { frame } from "./view/frame.ts";

/** Shows the model's frame and turns keys and changes of the window into messages. */
export function App({ store }: { store: ModelStore }) {
  const model = useSyncExternalStore(store.subscribe, store.current);
  const { columns, rows } = useWindowSize();
  useEffect(() => store.dispatch({ kind: "resize", size: { columns, rows } }), [store, columns, rows]);
  useInput((input, key) => {
    for (const press of keyPresses(input, key)) store.dispatch({ kind: "key", key: press });
  });
  usePaste((text) => store.dispatch({ kind: "paste", text }));
  return (
    <Box flexDirection="column">
      {frame(model).map((line, row) => (
        // A row of the screen is its place: it has no other identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: rows neither move nor come and go
        <Text key={row} wrap="truncate">
          {line === "" ? " " : line}
        </Text>
      ))}
    </Box>
  );
}
