// What Sprong and its API are: the server has written it, and here it gets the header of every page.
import { listen } from "./me.js";
import { top } from "./top.js";

top(location.pathname);
listen();
