// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/web_server.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <thread>

#include "hl_remote/access.hpp"
#include "static_files.hpp"

namespace hl_remote {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::size_t kLargestFrame = 1u << 20;  // from a client; commands are small
constexpr std::uint32_t kLargestHeader = 8u << 10;
constexpr std::size_t kSpare = 16;        // connections that are just being closed
constexpr int kSocketBuffer = 256 << 10;  // what may wait in the kernel for a slow client
constexpr const char* kNoPage =
    "<!doctype html><title>hl_remote</title><h1>The bridge works, the page is not built</h1>"
    "<p>Install Node and npm and build the package again: <code>apt-get install npm && colcon build --packages-select "
    "hl_remote</code>.</p><p>Foxglove or Lichtblick can connect to this address already.</p>";

/// The first sub-protocol of the client's list that we speak; empty if there is none.
std::string chosen_protocol(const http::request<http::string_body>& request) {
  const auto range = request.equal_range(http::field::sec_websocket_protocol);
  for (auto field = range.first; field != range.second; ++field)
    for (const auto& name : http::token_list(field->value()))
      if (name == "foxglove.websocket.v1" || name == "foxglove.sdk.v1") return std::string(name);
  return {};
}

std::string word(beast::string_view text) {
  return {text.data(), text.size()};
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A client that has been let in.
class Client {
 public:
  virtual ~Client() = default;
  virtual void pump() = 0;  // send what waits in the queue, if nothing is being sent
  virtual void close() = 0;
  SendQueue queue;
};

}  // namespace

struct WebServer::Implementation {
  explicit Implementation(const Params& given)
      : params(given), tls(asio::ssl::context::tls_server), gate(params.token), acceptor(context) {}

  void listen();
  void accept();
  void make_room();
  void no_stranger(const Client& client);
  void refuse(const std::string& kind, const std::string& what) {
    const double now = seconds();
    const auto found = told.find(kind);
    if (found != told.end() && now - found->second < 60.0) return;
    told[kind] = now;
    if (events.refused) events.refused(what);
  }

  Params params;
  Events events;
  asio::io_context context{1};
  asio::ssl::context tls;
  TokenGate gate;
  Tcp::acceptor acceptor;
  std::map<ClientId, std::shared_ptr<Client>> clients;
  std::map<std::string, double> told;           // kind of refusal -> when it was told last
  std::size_t connections = 0;                  // clients and those who have not said yet what they want
  std::deque<std::weak_ptr<Client>> strangers;  // the latter, oldest first
  ClientId next_id = 1;
  std::thread thread;
};

namespace {

/// One connection: reads a request, answers with a file or becomes a client.
template <class Stream>
class Connection : public Client, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(WebServer::Implementation& server, Stream&& stream, std::string address)
      : server_(server), socket_(std::move(stream)), address_(std::move(address)) {
    ++server_.connections;
  }
  ~Connection() override { --server_.connections; }

  void start() {
    limit_time();
    if constexpr (kSecure) {
      socket_.next_layer().async_handshake(asio::ssl::stream_base::server,
                                           [self = this->shared_from_this()](Error error) {
                                             if (!error) return self->read_request();
                                             self->broken("handshake", error, "a handshake that was not completed");
                                           });
    } else {
      read_request();
    }
  }

  void pump() override {
    if (sending_ || !open_) return;
    auto frame = queue.next();
    if (!frame) return;
    sending_ = std::move(*frame);
    socket_.binary(sending_->binary);
    const std::array<asio::const_buffer, 2> buffers = {
        asio::buffer(sending_->head), sending_->payload ? asio::buffer(*sending_->payload) : asio::const_buffer()};
    socket_.async_write(buffers, [self = this->shared_from_this()](Error error, std::size_t) {
      self->sending_.reset();
      if (error) return self->leave();
      self->pump();
    });
  }

  void close() override {
    closed_ = true;
    beast::get_lowest_layer(socket_).close();
  }

 private:
  static constexpr bool kSecure = !std::is_same_v<Stream, beast::tcp_stream>;
  using Request = http::request<http::string_body>;

  void limit_time() {
    beast::get_lowest_layer(socket_).expires_after(
        std::chrono::milliseconds(static_cast<int>(server_.params.handshake_timeout * 1000.0)));
  }

  void read_request() {
    parser_.emplace();
    parser_->header_limit(kLargestHeader);
    parser_->body_limit(0);
    limit_time();
    http::async_read(socket_.next_layer(), buffer_, *parser_,
                     [self = this->shared_from_this()](Error error, std::size_t) {
                       if (!error) return self->answer(self->parser_->release());
                       // Browsers connect ahead of need and then say nothing.
                       if (self->parser_->got_some())
                         self->broken("request", error, "a request that could not be read");
                     });
  }

  /// A connection that ends before it has said what it wants; not one that we have closed ourselves.
  void broken(const std::string& kind, const Error& error, const std::string& what) {
    if (!closed_) refuse(kind, what + " (" + error.message() + ")");
  }

  void answer(Request request) {
    if (websocket::is_upgrade(request)) return upgrade(std::move(request));
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return reply(request, http::status::method_not_allowed, "only GET\n", "text/plain");
    if (auto file = static_file(server_.params.folder, word(request.target())))
      return reply(request, http::status::ok, std::move(file->content), file->type);
    if (leaves_folder(word(request.target()))) refuse("path", "a way out of the page's folder");
    if (request.target() == "/" || request.target() == "/index.html")
      return reply(request, http::status::ok, kNoPage, "text/html; charset=utf-8");
    reply(request, http::status::not_found, "there is no such file\n", "text/plain");
  }

  void reply(const Request& request, http::status status, std::string body, const std::string& type) {
    response_.emplace(status, request.version());
    response_->set(http::field::content_type, type);
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("Referrer-Policy", "no-referrer");  // the token may stand in the page's address
    response_->set("Cache-Control", "no-cache");
    response_->set("Content-Security-Policy",
                   "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' blob: data:; style-src 'self' "
                   "'unsafe-inline'; frame-ancestors 'none'");
    response_->keep_alive(request.keep_alive() && status == http::status::ok);
    response_->body() = std::move(body);
    response_->prepare_payload();
    if (request.method() == http::verb::head) response_->body().clear();
    limit_time();
    http::async_write(socket_.next_layer(), *response_, [self = this->shared_from_this()](Error error, std::size_t) {
      if (!error && self->response_->keep_alive())
        self->read_request();
      else if (!error)
        self->close();
    });
  }

  void refuse(const std::string& kind, const std::string& what) { server_.refuse(kind, what + ", from " + address_); }

  void upgrade(Request request) {
    const std::string protocol = chosen_protocol(request), origin = word(request[http::field::origin]);
    if (protocol.empty())
      return reply(request, http::status::bad_request, "speak foxglove.websocket.v1 or foxglove.sdk.v1\n",
                   "text/plain");
    if (!origin_allowed(origin, word(request[http::field::host]), server_.params.origins)) {
      refuse("origin", "a page of '" + origin.substr(0, 80) + "' is not in 'origins'");
      return reply(request, http::status::forbidden, "this origin is not allowed\n", "text/plain");
    }
    if (server_.clients.size() >= server_.params.most_clients) {
      refuse("clients", "more than " + std::to_string(server_.params.most_clients) + " clients");
      return reply(request, http::status::service_unavailable, "too many clients\n", "text/plain");
    }
    const auto right = server_.gate.ask(query_value(word(request.target()), "token"), address_, seconds());
    if (right == TokenGate::Answer::Wrong || right == TokenGate::Answer::TooMany) {
      refuse("token", "a wrong token");
      const bool wrong = right == TokenGate::Answer::Wrong;
      return reply(request, wrong ? http::status::unauthorized : http::status::too_many_requests, "wrong token\n",
                   "text/plain");
    }
    request_.emplace(std::move(request));
    beast::get_lowest_layer(socket_).expires_never();
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.idle_timeout = std::chrono::seconds(30);
    socket_.set_option(timeout);
    socket_.set_option(websocket::stream_base::decorator([protocol](websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, protocol);
    }));
    socket_.read_message_max(kLargestFrame);
    socket_.auto_fragment(false);
    socket_.async_accept(*request_, [self = this->shared_from_this(), right](Error error) {
      if (!error) return self->enter(right == TokenGate::Answer::MayCommand);
      self->broken("handshake", error, "a handshake that was not completed");
    });
  }

  void enter(bool may_command) {
    request_.reset();
    open_ = true;
    id_ = server_.next_id++;
    server_.clients[id_] = this->shared_from_this();
    server_.no_stranger(*this);
    server_.events.opened(id_, may_command);
    read();
  }

  void read() {
    buffer_.clear();
    socket_.async_read(buffer_, [self = this->shared_from_this()](Error error, std::size_t) {
      if (error) {
        if (error == websocket::error::message_too_big) self->refuse("size", "a frame of more than 1 MiB");
        if (error == websocket::condition::protocol_violation) self->refuse("frame", "a damaged frame");
        return self->leave();
      }
      const auto data = self->buffer_.data();
      self->server_.events.received(self->id_, {static_cast<const char*>(data.data()), data.size()},
                                    self->socket_.got_binary());
      if (self->open_) self->read();
    });
  }

  void leave() {
    if (!open_) return;
    open_ = false;
    close();
    server_.clients.erase(id_);
    server_.events.closed(id_);
  }

  WebServer::Implementation& server_;
  websocket::stream<Stream> socket_;
  std::string address_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<Request> request_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<SendQueue::Frame> sending_;
  bool open_ = false, closed_ = false;  // let in as a client; ended by us
  ClientId id_ = 0;
};

}  // namespace

void WebServer::Implementation::listen() {
  const auto fail = [&](const std::string& what, const Error& error) {
    throw std::runtime_error(what + ": " + error.message());
  };
  Error error;
  const auto address = asio::ip::make_address(params.address, error);
  if (error) fail("address = '" + params.address + "' is no IP address", error);
  if (!params.certificate.empty()) {
    tls.use_certificate_chain_file(params.certificate, error);
    if (error) fail("certificate '" + params.certificate + "' cannot be read", error);
    tls.use_private_key_file(params.key, asio::ssl::context::pem, error);
    if (error) fail("key '" + params.key + "' cannot be read", error);
  }
  const Tcp::endpoint endpoint(address, params.port);
  acceptor.open(endpoint.protocol(), error);
  acceptor.set_option(asio::socket_base::reuse_address(true), error);
  acceptor.bind(endpoint, error);
  const std::string place = params.address + ":" + std::to_string(params.port);
  if (error) fail("cannot listen on " + place + " (is another bridge running? try another 'port')", error);
  acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) fail("cannot listen on " + place, error);
}

void WebServer::Implementation::no_stranger(const Client& client) {
  strangers.erase(std::remove_if(strangers.begin(), strangers.end(),
                                 [&](const auto& each) {
                                   const auto stranger = each.lock();
                                   return !stranger || stranger.get() == &client;
                                 }),
                  strangers.end());
}

/// Whoever holds connections without saying anything must not keep others out: the oldest of them goes.
void WebServer::Implementation::make_room() {
  strangers.erase(std::remove_if(strangers.begin(), strangers.end(), [](const auto& each) { return each.expired(); }),
                  strangers.end());
  if (connections < 4 * params.most_clients || strangers.empty()) return;
  refuse("connections", "more than " + std::to_string(4 * params.most_clients) + " connections: the oldest is closed");
  if (const auto oldest = strangers.front().lock()) oldest->close();
  strangers.pop_front();
}

void WebServer::Implementation::accept() {
  acceptor.async_accept([this](Error error, Tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    Error ignored;
    if (!error) make_room();
    if (!error && connections < 4 * params.most_clients + kSpare) {
      socket.set_option(Tcp::no_delay(true), ignored);
      socket.set_option(asio::socket_base::send_buffer_size(kSocketBuffer), ignored);
      const std::string address = socket.remote_endpoint(ignored).address().to_string(ignored);
      beast::tcp_stream stream(std::move(socket));
      const auto begin = [this](const auto& connection) {
        strangers.push_back(connection);
        connection->start();
      };
      if (params.certificate.empty())
        begin(std::make_shared<Connection<beast::tcp_stream>>(*this, std::move(stream), address));
      else
        begin(std::make_shared<Connection<beast::ssl_stream<beast::tcp_stream>>>(
            *this, beast::ssl_stream<beast::tcp_stream>(std::move(stream), tls), address));
    }
    accept();
  });
}

WebServer::WebServer(const Params& params) : implementation_(std::make_unique<Implementation>(params)) {
  implementation_->listen();
}

void WebServer::start(Events events) {
  implementation_->events = std::move(events);
  implementation_->accept();
  implementation_->thread = std::thread([this] { implementation_->context.run(); });
}

WebServer::~WebServer() {
  implementation_->context.stop();
  if (implementation_->thread.joinable()) implementation_->thread.join();
  implementation_->clients.clear();
}

std::uint16_t WebServer::port() const {
  return implementation_->acceptor.local_endpoint().port();
}

void WebServer::post(std::function<void()> task) {
  asio::post(implementation_->context, std::move(task));
}

void WebServer::send(ClientId client, std::string frame, bool binary) {
  const auto found = implementation_->clients.find(client);
  if (found == implementation_->clients.end()) return;
  const auto keep = found->second;
  if (keep->queue.control(std::move(frame), binary)) return keep->pump();
  implementation_->refuse("slow", "a client that reads nothing any more is closed");
  keep->close();
}

void WebServer::send_newest(ClientId client, std::uint32_t subscription, std::string head, SendQueue::Payload payload,
                            std::size_t depth) {
  const auto found = implementation_->clients.find(client);
  if (found == implementation_->clients.end()) return;
  found->second->queue.data(subscription, std::move(head), std::move(payload), depth);
  found->second->pump();
}

void WebServer::forget(ClientId client, std::uint32_t subscription) {
  const auto found = implementation_->clients.find(client);
  if (found != implementation_->clients.end()) found->second->queue.forget(subscription);
}

std::uint64_t WebServer::dropped(ClientId client) const {
  const auto found = implementation_->clients.find(client);
  return found == implementation_->clients.end() ? 0 : found->second->queue.dropped();
}

}  // namespace hl_remote
