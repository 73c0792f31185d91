// Module loader that provides the phrases of a language as modules, as the build does.
import { languages } from "./languages.mjs";

const PHRASE_MODULE = /\/i18n\/(\w+)(\.more)?\.js$/;

/** Resolves imports of phrase modules, which are not files. */
export const resolve = (name, context, next) => {
  if (!PHRASE_MODULE.test(name)) return next(name, context);
  return { url: new URL(name, context.parentURL).href, format: "module", shortCircuit: true };
};

export const load = (url, context, next) => {
  const [, language, isMore] = PHRASE_MODULE.exec(url) ?? [];
  if (!language) return next(url, context);
  const { both, scripts, more } = languages[language];
  return {
    format: "module",
    source: `export default ${JSON.stringify(isMore ? more : { ...both, ...scripts })};`,
    shortCircuit: true,
  };
};
