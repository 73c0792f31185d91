// Answers where a module asks for the phrases of a language as the build does, which makes modules of them.
import { languages } from "./languages.mjs";

const WORDS = /\/i18n\/(\w+)(\.more)?\.js$/;

/** Such a module, though no file has its name. */
export const resolve = (name, context, next) => {
  if (!WORDS.test(name)) return next(name, context);
  return { url: new URL(name, context.parentURL).href, format: "module", shortCircuit: true };
};

export const load = (url, context, next) => {
  const [, language, isMore] = WORDS.exec(url) ?? [];
  if (!language) return next(url, context);
  const { both, scripts, more } = languages[language];
  return {
    format: "module",
    source: `export default ${JSON.stringify(isMore ? more : { ...both, ...scripts })};`,
    shortCircuit: true,
  };
};
