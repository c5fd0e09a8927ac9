// A server with a page, a new exception for each request, and one exception that is thrown
// again and again. /rendered also renders the trace of the exception to a string. The server
// prints its port.
import std.stdio : stdout, writeln;
import vibe.core.core : runApplication;
import vibe.core.log : LogLevel, setLogLevel;
import vibe.http.router : URLRouter;
import vibe.http.server;

enum text = "404 Not Found\n";

void page(HTTPServerRequest, HTTPServerResponse answer) @safe
{
	answer.writeBody(text, "text/plain");
}

void thrown(HTTPServerRequest, HTTPServerResponse) @safe
{
	throw new HTTPStatusException(HTTPStatus.notFound);
}

HTTPStatusException one;

void again(HTTPServerRequest, HTTPServerResponse) @safe
{
	throw one;
}

alias Handler = void function(HTTPServerRequest, HTTPServerResponse) @safe;

auto rendered(Handler handler)
{
	return (HTTPServerRequest request, HTTPServerResponse answer) @trusted {
		try
			handler(request, answer);
		catch (Exception error)
		{
			rendering = error.toString();
			throw error;
		}
	};
}

string rendering;

void main()
{
	setLogLevel(LogLevel.none);
	one = new HTTPStatusException(HTTPStatus.notFound);
	auto router = new URLRouter;
	router.get("/page", &page);
	router.get("/thrown", &thrown);
	router.get("/again", &again);
	router.get("/rendered/thrown", rendered(&thrown));
	router.get("/rendered/again", rendered(&again));
	auto settings = new HTTPServerSettings("127.0.0.1:0");
	settings.errorPageHandler = (request, answer, error) @safe { answer.writeBody(text, "text/plain"); };
	auto listener = listenHTTP(settings, router);
	writeln(listener.bindAddresses[0].port);
	stdout.flush();
	runApplication();
}
