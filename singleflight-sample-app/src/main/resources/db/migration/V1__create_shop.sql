create table users (
    id   bigint primary key,
    name varchar(100) not null
);

create table products (
    id       bigint primary key,
    name     varchar(100)   not null,
    category varchar(50)    not null,
    price    numeric(10, 2) not null
);

create table purchases (
    id         bigint primary key,
    user_id    bigint not null,
    product_id bigint not null,
    quantity   int    not null
);
