// Answers where a module asks for the phrases of a language as the build does, which makes modules of them.
import { phrases } from "./languages.mjs";

const WORDS = /\/words\/(\w+)\.js$/;

/** Such a module, though no file has its name. */
export const resolve = (name, context, next) => {
  if (!WORDS.test(name)) return next(name, context);
  return { url: new URL(name, context.parentURL).href, format: "module", shortCircuit: true };
};

export const load = (url, context, next) => {
  const [, language] = WORDS.exec(url) ?? [];
  if (!language) return next(url, context);
  return { format: "module", source: `export default ${JSON.stringify(phrases[language])};`, shortCircuit: true };
};
