// Lints of the client and its tests. Prettier formats them.
import js from "@eslint/js";
import globals from "globals";

const rules = {
  "array-callback-return": "error",
  "default-case-last": "error",
  eqeqeq: "error",
  // Prettier formats code, but not comments.
  "max-len": ["error", { code: 1000, comments: 100, ignoreUrls: true }],
  "no-constructor-return": "error",
  "no-duplicate-imports": "error",
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-new-wrappers": "error",
  "no-script-url": "error",
  "no-self-compare": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-undef-init": "error",
  "no-unmodified-loop-condition": "error",
  "no-unreachable-loop": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-return": "error",
  "no-var": "error",
  "prefer-const": "error",
  radix: "error",
};

export default [
  { ignores: ["node_modules", "target", "tests/concurrency"] },
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules },
  {
    files: ["static/**/*.js"],
    rules: {
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      "no-shadow": ["error", { allow: ["_"] }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "TemplateElement[value.raw=/\\n/]",
          message: "Lines lose what they begin with when they are embedded.",
        },
        // `modules.test.mjs` finds assignments to fields of other classes, but not those by a call.
        {
          selector:
            "CallExpression[callee.object.name=/^(Object|Reflect)$/]" +
            "[callee.property.name=/^(assign|defineProperty|defineProperties|set)$/]" +
            ":not([arguments.0.type=/^(This|Object)Expression$/])",
          message: "Only a class assigns the fields of its objects.",
        },
      ],
    },
    languageOptions: { globals: { ...globals.browser, sprongTheme: "readonly" } },
  },
  // The service worker is a classic script. The server prepends its first lines.
  {
    files: ["static/sw.js"],
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
  },
  {
    files: ["tests/**/*.mjs", "benches/**/*.mjs", "*.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser, sprongTheme: "readonly" } },
  },
];
