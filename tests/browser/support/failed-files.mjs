// Reporter of node's test runner: lists the files with failed tests, one per line.
export default async function* failedFiles(events) {
  const files = new Set();
  for await (const { type, data } of events) {
    if (type !== "test:fail" || !data.file || files.has(data.file)) continue;
    files.add(data.file);
    yield `${data.file}\n`;
  }
}
